/** What is refused. Its message never holds a payload's value or a secret. */
export class IntentKeyError extends Error {
  // Said here as well, since minifiers rename classes.
  static name = "IntentKeyError";

  constructor({ code, field, fields, message }) {
    super(message);
    this.code = code;
    if (field !== undefined) this.field = field;
    if (fields !== undefined) this.fields = fields;
  }

  toJSON() {
    const { code, field, fields, message } = this;
    return { code, field, fields, message };
  }
}
// Not enumerable, as the name of every error.
Object.defineProperty(IntentKeyError.prototype, "name", {
  value: "IntentKeyError",
  configurable: true,
  writable: true,
});
