/** Set by the build: the file of `read_markdown.ts`, as the page's script names it. */
declare const READER_PATH: string;

type Reader = typeof import('../../ui/markdown/read_markdown.ts');

let failures = 0;

/**
 * Only pages with documents load the reader of Markdown. A browser remembers that a script did not come and never asks
 * for its address again, so each try has an address of its own (rules/hosted#53).
 * @returns null where it did not come
 */
export async function loadReader(): Promise<Reader | null> {
  const path = failures === 0 ? READER_PATH : `${READER_PATH}?${failures}`;
  try {
    return (await import(path)) as Reader;
  } catch {
    failures += 1;
    return null;
  }
}
