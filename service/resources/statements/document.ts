import { epochMs, type Instant } from '@tenant-payments/engine/time/instant.ts';

/** An empty tagged PDF of US Letter pages, without scripts or links. */
export async function openDocument(title: string, createdAt: Instant, language = 'en-US') {
  // Loaded at the first use: it takes 0.1 s.
  const { default: PDFDocument } = await import('pdfkit');
  return new PDFDocument({
    size: 'LETTER',
    margin: 0,
    pdfVersion: '1.7',
    tagged: true,
    lang: language,
    displayTitle: true,
    info: { Title: title, CreationDate: new Date(epochMs(createdAt)) },
  });
}
