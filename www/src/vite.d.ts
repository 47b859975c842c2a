/** A TOML file, read when the page is built. */
declare module "*.toml?object" {
  const document: import("intentkey").PolicyDocument;
  export default document;
}
