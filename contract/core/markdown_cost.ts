/** The most signs of one paragraph, and the most levels of quotes and lists. */
export const markdownLimits = { signsInParagraph: 1_000, levels: 20 } as const;

/** Signs that may open or close something, which a reader looks for the other end of. */
const signs = /([*_~`])\1*|[[\]<!]/g;
/** The beginning of a line of a quote or list. */
const marks = /^[ \t]*(?:(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*)+/gm;
/** Each sign of such a beginning that makes it a level deeper. */
const level = />|[-*+]|\d{1,9}[.)]|\t| {2}/g;

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

/**
 * Whether a reader of Markdown takes long for a text, or comes to the end of its stack (rules/documents#22): of
 * some texts each sign costs a look at all that follow it, and a text of 150,000 characters takes seconds.
 */
export const isCostlyMarkdown = (text: string): boolean =>
  text
    .split(/\n[ \t]*\n/)
    .some((paragraph) => count(paragraph, signs) > markdownLimits.signsInParagraph) ||
  (text.match(marks) ?? []).some((begin) => count(begin, level) > markdownLimits.levels);
