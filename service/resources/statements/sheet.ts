import type PDFDocument from 'pdfkit';
import type { Lettering } from './lettering/lettering.ts';
import { linesOf } from './lines.ts';
import { onOneLine, regular, standard } from './words.ts';

type Document = InstanceType<typeof PDFDocument>;
type Element = ReturnType<Document['struct']>;

/** A column of a table: its name, its distance from the margin and its width, both in points. */
export interface Column {
  readonly name: string;
  readonly x: number;
  readonly width: number;
  readonly align?: 'right';
}

const margin = 54;
const lineHeight = 15;
const footerSize = 7;
const lineWidth = 500;
const proseWidth = 468;
const bold = 'Helvetica-Bold';

/** A text, and the element that holds it. */
interface Written {
  readonly tag: string;
  readonly text: string;
  readonly column: Column;
  readonly attributes?: object | undefined;
}

export interface SheetOptions {
  /** Null: the standard fonts have all letters. */
  readonly lettering: Lettering | null;
  /** In points. */
  readonly textSize?: number;
  /** The footer's text about its page. */
  readonly page?: (number: number) => string;
}

/** pdfkit's types do not know a heading's scope. */
const columnHead: { title?: string; scope: string } = { scope: 'Column' };

/**
 * Writes tagged pages from top to bottom, in the order in which a screen reader reads them. Lines
 * and footers are marked as artifacts, which screen readers skip.
 */
export function openSheet(
  document: Document,
  footer: string,
  { lettering, textSize = 9, page: pageText = (number) => `page ${number}` }: SheetOptions,
) {
  const root = document.struct('Document');
  document.addStructure(root);
  const bottom = document.page.height - margin;
  /** From line to line within a cell. */
  const innerHeight = 1.25 * textSize;
  let y = margin;
  let page = 1;
  /** The space that the last text left below it. */
  let left = 0;
  document.font(regular).fontSize(textSize);

  /** The font that writes a text: the document itself, or the fonts that have its letters. */
  const special = (text: string): Lettering | null => (standard.test(text) ? null : lettering);
  const widthOf = (text: string): number =>
    special(text)?.widthOf(text) ?? document.widthOfString(text);

  /** One line at this height, flush with the edge of its column: nothing is cut. */
  function draw(line: string, { x, width, align }: Column, at: number): void {
    const from = margin + x + (align === 'right' ? width - widthOf(line) : 0);
    const fonts = special(line);
    if (fonts) fonts.draw(line, from, at);
    else document.text(line, from, at, { lineBreak: false });
  }

  /**
   * Lines as one element. Screen readers get the whole text, also where a word is broken or runs from right to left.
   * @param next makes room for a line. @returns its height on the page
   */
  function element(
    parent: Element,
    { tag, text, column, attributes = {} }: Written,
    lines: readonly string[],
    next: (index: number) => number,
  ): void {
    const isWhole = lines.join(' ') === text && special(text) === null;
    const spoken = isWhole ? {} : { actual: text };
    const own = document.struct(tag, { ...spoken, ...attributes });
    parent.add(own);
    lines.forEach((line, index) => {
      const at = next(index);
      own.add(() => draw(line, column, at));
    });
    own.end();
  }

  /** A text from here to the right, in as many lines as it takes. */
  function paragraph(tag: string, text: string, width: number, attributes?: object): void {
    left = 0;
    const column = { name: '', x: 0, width };
    const lines = linesOf(widthOf, onOneLine(text), width);
    element(root, { tag, text, column, attributes }, lines, () => {
      if (y + lineHeight > bottom) turnPage();
      y += lineHeight;
      return y - lineHeight;
    });
  }

  function artifact(write: () => void): void {
    document.markContent('Artifact', { type: 'Layout' });
    write();
    document.endMarkedContent();
  }

  function rule(): void {
    const width = document.page.width - margin;
    artifact(() =>
      document
        .moveTo(margin, y - 3)
        .lineTo(width, y - 3)
        .lineWidth(0.5)
        .stroke(),
    );
  }

  function writeFooter(): void {
    const options = { lineBreak: false, height: lineHeight } as const;
    artifact(() => {
      document.font(regular).fontSize(footerSize);
      document.text(`${footer}, ${pageText(page)}`, margin, bottom + lineHeight, options);
      document.fontSize(textSize);
    });
  }

  function leaveLine(): void {
    y += lineHeight - left;
    left = 0;
  }

  function turnPage(): void {
    writeFooter();
    document.addPage();
    page += 1;
    y = margin;
  }

  return {
    title(text: string): void {
      document.font(bold).fontSize(16);
      paragraph('H1', text, lineWidth);
      document.font(regular).fontSize(textSize);
      y += lineHeight;
    },
    heading(text: string): void {
      leaveLine();
      if (y + 4 * lineHeight > bottom) turnPage();
      document.font(bold).fontSize(11);
      paragraph('H2', text, lineWidth);
      document.font(regular).fontSize(textSize);
      y += 0.5 * lineHeight;
    },
    /** A text without space after it. */
    paragraph: (text: string): void => paragraph('P', text, lineWidth),
    /** A text with space after it. @param lang of a text in another language */
    prose(text: string, lang?: string): void {
      paragraph('P', text, proseWidth, lang === undefined ? {} : { lang });
      left = lineHeight / 2;
      y += left;
    },
    /** Leaves a line empty. */
    gap(): void {
      leaveLine();
    },
    /** A table. Column names are on each page; screen readers read them once. No row is on two pages. */
    table(columns: readonly Column[]) {
      const table = document.struct('Table');
      root.add(table);

      /** Each cell in its lines, and the height of the highest one. */
      function fitted(cells: readonly string[]) {
        const lines = columns.map(({ width, align }, index) => {
          const text = onOneLine(cells[index] ?? '');
          return align === 'right' ? [text] : linesOf(widthOf, text, width);
        });
        const most = Math.max(...lines.map(({ length }) => length));
        return { lines, height: lineHeight + (most - 1) * innerHeight };
      }

      function row(
        tag: 'TH' | 'TD',
        cells: readonly string[],
        { lines, height }: ReturnType<typeof fitted>,
        attributes?: object,
      ): void {
        const line = document.struct('TR');
        table.add(line);
        columns.forEach((column, index) => {
          const text = cells[index] ?? '';
          const at = (count: number) => y + count * innerHeight;
          element(line, { tag, text, column, attributes }, lines[index] ?? [], at);
        });
        line.end();
        y += height;
      }

      const names = columns.map(({ name }) => name);
      document.font(bold);
      const head = fitted(names);
      row('TH', names, head, columnHead);
      document.font(regular);
      rule();

      function repeatNames(): void {
        document.font(bold);
        artifact(() => {
          for (const [index, column] of columns.entries())
            for (const [count, line] of (head.lines[index] ?? []).entries())
              draw(line, column, y + count * innerHeight);
        });
        document.font(regular);
        y += head.height;
        rule();
      }

      return {
        row(cells: readonly string[]): void {
          const found = fitted(cells);
          if (y + found.height > bottom) {
            turnPage();
            repeatNames();
          }
          row('TD', cells, found);
        },
        end: () => table.end(),
      };
    },
    end(): void {
      writeFooter();
      root.end();
      document.end();
    },
  };
}
export type Sheet = ReturnType<typeof openSheet>;
