import { Marked, type Token } from 'marked';

/** A bare address is text, as in the other pages that show Markdown. */
const marked = new Marked({ tokenizer: { url: () => undefined } });

/** Reads Markdown. Alone in this file, since the reader is as large as half of the hosted pages. */
export const tokensOf = (text: string): Token[] => marked.lexer(text);
