// Instantiates the module from what there is of it.

/** Takes the module, its bytes, its address, a response with it, or a promise of one of these;
 * without any that works, the copy in `inline.js`. */
export async function instantiate(source, imports) {
  if (typeof source === "string" || source instanceof URL) {
    return instance(await (await fetch(source)).arrayBuffer(), imports);
  }
  if (source instanceof Promise) {
    // The file may not be where it is looked for: a bundler has left it behind, a server answers
    // with a page.
    try {
      const response = await source;
      if (response.ok) return await instance(await response.arrayBuffer(), imports);
    } catch {}
  } else if (source !== undefined) {
    return instance(source, imports);
  }
  const { default: text } = await import("./inline.js");
  return instance(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)), imports);
}

async function instance(source, imports) {
  const made = await WebAssembly.instantiate(source, imports);
  return source instanceof WebAssembly.Module ? made : made.instance;
}
