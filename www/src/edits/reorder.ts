import { members } from "../editor/json-places";

/** The payload with its fields in another order, and its lines where they were. */
export function reorder(payload: string): string {
  const slots = members(payload);
  if (slots.length < 2) return payload;
  const texts = slots.map(({ from, to }) => payload.slice(from, to));
  const turned = shuffled(texts);
  let at = 0;
  let result = "";
  for (const [index, { from, to }] of slots.entries()) {
    result += payload.slice(at, from) + turned[index];
    at = to;
  }
  return result + payload.slice(at);
}

/** Another order than it was. */
function shuffled<T>(given: readonly T[]): T[] {
  const result = [...given];
  for (let left = result.length - 1; left > 0; left--) {
    const other = Math.floor(Math.random() * (left + 1));
    [result[left], result[other]] = [result[other] as T, result[left] as T];
  }
  return result.every((item, index) => item === given[index]) ? [...result.slice(1), result[0] as T] : result;
}
