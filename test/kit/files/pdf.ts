import type { PDFPageProxy } from 'pdfjs-dist';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A node of the structure that a screen reader goes through. */
export interface Node {
  readonly role: string;
  readonly children: readonly (Node | { readonly type: string; readonly id: string })[];
}

/** A text where it stands, in points from the left and from the bottom of its page. */
interface Placed {
  readonly page: number;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface ReadPdf {
  readonly title: string;
  readonly language: string | null;
  /** The texts of each page, in the order in which they were written. */
  readonly pages: readonly (readonly string[])[];
  /** The same texts, where they stand. */
  readonly placed: readonly Placed[];
  /** The roles of what begins on the first page, parents before children: a table with all its rows. */
  readonly roles: readonly string[];
  /** The texts in the order of the structure, as a screen reader reads them. */
  readonly spoken: readonly string[];
  readonly hasScript: boolean;
}

function rolesOf(node: Node): string[] {
  const inner = node.children.flatMap((child) => ('role' in child ? rolesOf(child) : []));
  return [node.role, ...inner];
}

const contentsOf = (node: Node): string[] =>
  node.children.flatMap((child) => ('role' in child ? contentsOf(child) : [child.id]));

type Items = Awaited<ReturnType<PDFPageProxy['getTextContent']>>['items'];

/** The text of each marked content of a page. */
function textById(items: Items): ReadonlyMap<string, string[]> {
  const texts = new Map<string, string[]>();
  let at = '';
  for (const item of items) {
    if ('str' in item) {
      if (item.str.trim()) texts.set(at, [...(texts.get(at) ?? []), item.str]);
    } else at = item.type === 'beginMarkedContentProps' ? item.id : '';
  }
  return texts;
}

async function spokenOn(page: PDFPageProxy, structure: Node | null): Promise<string[]> {
  const { items } = await page.getTextContent({ includeMarkedContent: true });
  const texts = textById(items);
  return structure ? contentsOf(structure).flatMap((id) => texts.get(id) ?? []) : [];
}

const placedOn = (page: number, items: Items): Placed[] =>
  items.flatMap((item) => {
    if (!('str' in item) || !item.str.trim()) return [];
    const [x, y] = item.transform.slice(4) as [number, number];
    return [{ page, text: item.str, x, y, width: item.width }];
  });

/** Reads a PDF as its readers do. @throws when it is none */
export async function readPdf(data: Uint8Array): Promise<ReadPdf> {
  const document = await getDocument({ data, verbosity: 0 }).promise;
  const pages: string[][] = [];
  const placed: Placed[] = [];
  const roles: string[] = [];
  const spoken: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const found = placedOn(number, items);
    placed.push(...found);
    pages.push(found.map(({ text }) => text));
    const structure: Node | null = await page.getStructTree();
    spoken.push(...(await spokenOn(page, structure)));
    // Another page would tell of the whole table again.
    if (structure && number === 1) roles.push(...rolesOf(structure));
  }
  const { info } = await document.getMetadata();
  const facts = info as { Title?: string; Language?: string | null };
  const scripts = await document.getJSActions();
  await document.destroy();
  return {
    title: facts.Title ?? '',
    language: facts.Language ?? null,
    pages,
    placed,
    roles,
    spoken,
    hasScript: scripts !== null,
  };
}
