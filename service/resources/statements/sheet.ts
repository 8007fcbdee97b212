import type PDFDocument from 'pdfkit';
import type { Lettering } from './lettering/lettering.ts';
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
const proseWidth = 468;
const bold = 'Helvetica-Bold';

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

/** The pieces of a word that is wider than a line. */
const longestPiece = /.{1,45}/gu;

/** The text in lines of at most this width, broken at spaces. */
function linesOf(widthOf: (text: string) => number, text: string, width: number): string[] {
  const lines: string[] = [];
  const words = text
    .split(' ')
    .flatMap((word) => (widthOf(word) > width ? (word.match(longestPiece) ?? []) : [word]));
  for (const word of words) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && widthOf(longer) > width) lines.push(word);
    else lines.splice(-1, 1, longer);
  }
  return lines;
}

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
  let y = margin;
  let page = 1;
  /** The space that the last text left below it. */
  let left = 0;
  document.font(regular).fontSize(textSize);

  /** The font that writes a text: the document itself, or the fonts that have its letters. */
  const special = (text: string): Lettering | null => (standard.test(text) ? null : lettering);
  const widthOf = (text: string): number =>
    special(text)?.widthOf(text) ?? document.widthOfString(text);

  /** One line of text, cut to its width. Screen readers get the whole text. */
  function cell(parent: Element, tag: string, text: string, column: Column, head?: object): void {
    const line = onOneLine(text);
    const { x, width, align = 'left' } = column;
    const fonts = special(line);
    const shown = fonts?.fitting(line, width) ?? line;
    const isWhole = fonts === null && shown === text && document.widthOfString(shown) <= width;
    const spoken = isWhole ? {} : { actual: text };
    const options = { width, align, lineBreak: false, ellipsis: true, height: lineHeight } as const;
    const draw = () =>
      fonts ? fonts.draw(shown, margin + x, y) : void document.text(shown, margin + x, y, options);
    parent.add(document.struct(tag, { ...spoken, ...head }, draw));
  }

  function artifact(draw: () => void): void {
    document.markContent('Artifact', { type: 'Layout' });
    draw();
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
      cell(root, 'H1', text, { name: '', x: 0, width: 500 });
      document.font(regular).fontSize(textSize);
      y += 2 * lineHeight;
    },
    heading(text: string): void {
      leaveLine();
      if (y + 4 * lineHeight > bottom) turnPage();
      document.font(bold).fontSize(11);
      cell(root, 'H2', text, { name: '', x: 0, width: 500 });
      document.font(regular).fontSize(textSize);
      y += 1.5 * lineHeight;
    },
    paragraph(text: string): void {
      cell(root, 'P', text, { name: '', x: 0, width: 500 });
      y += lineHeight;
    },
    /** A text of several lines, with space after it. @param lang of a text in another language */
    prose(text: string, lang?: string): void {
      const shown = onOneLine(text);
      const spoken = shown === text ? {} : { actual: text };
      const paragraph = document.struct('P', lang === undefined ? spoken : { ...spoken, lang });
      root.add(paragraph);
      for (const line of linesOf(widthOf, shown, proseWidth)) {
        if (y + lineHeight > bottom) turnPage();
        const fonts = special(line);
        paragraph.add(() =>
          fonts
            ? fonts.draw(line, margin, y)
            : void document.text(line, margin, y, { lineBreak: false }),
        );
        y += lineHeight;
      }
      paragraph.end();
      left = lineHeight / 2;
      y += left;
    },
    /** Leaves a line empty. */
    gap(): void {
      leaveLine();
    },
    /** A table. Column names are on each page; screen readers read them once. */
    table(columns: readonly Column[]) {
      const table = document.struct('Table');
      root.add(table);

      function row(tag: 'TH' | 'TD', cells: readonly string[], head?: object): void {
        const line = document.struct('TR');
        table.add(line);
        columns.forEach((column, index) => {
          cell(line, tag, cells[index] ?? '', column, head);
        });
        line.end();
        y += lineHeight;
      }

      function names(): void {
        document.font(bold);
        row(
          'TH',
          columns.map(({ name }) => name),
          columnHead,
        );
        document.font(regular);
        rule();
      }

      function repeatNames(): void {
        artifact(() => {
          for (const { name, x, width, align = 'left' } of columns)
            document.text(name, margin + x, y, { width, align, lineBreak: false });
        });
        y += lineHeight;
        rule();
      }

      names();
      return {
        row(cells: readonly string[]): void {
          if (y + lineHeight > bottom) {
            turnPage();
            repeatNames();
          }
          row('TD', cells);
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
