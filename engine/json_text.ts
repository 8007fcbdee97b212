/** A record's JSON text with the value of a top-level field that is null in it. */
export const withField = (text: string, field: string, value: unknown): string =>
  text.replace(`"${field}":null`, () => `"${field}":${JSON.stringify(value)}`);
