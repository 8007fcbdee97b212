/** Letters that are written from right to left, and marks that turn the order (rules/errors#45). */
const turning =
  /[\p{Bidi_Control}\p{Script=Hebr}\p{Script=Arab}\p{Script=Syrc}\p{Script=Thaa}\p{Script=Nkoo}]/u;

/** A text of somebody within a sentence: its direction ends with it, and moves nothing around it. */
export const isolated = (text: string): string =>
  turning.test(text) ? `\u2068${text}\u2069` : text;
