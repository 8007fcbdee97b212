import { contrast } from '@tenant-payments/contract/core/contrast.ts';
import type { MessageBrand, MessageLocale } from '../messages.ts';
import type { Block, Content } from './content.ts';

/**
 * A mail as HTML: tables and styles of each element alone, since clients drop a style sheet; no picture but the
 * logo, which may be blocked; nothing that reports that it was opened.
 */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (one) => entities[one] ?? '');
const lines = (text: string): string => escaped(text).replaceAll('\n', '<br>');

const ink = '#1a1f2b';
const soft = '#5a6273';
const edge = '#dfe3ea';
const font = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const mono = "ui-monospace,Menlo,Consolas,'Courier New',monospace";

/** Black or white, whichever is read better on a color. */
const inkOn = (color: string): string =>
  contrast(color, '#000000') >= contrast(color, '#ffffff') ? '#000000' : '#ffffff';

const paragraph = (html: string, more = ''): string =>
  `<p style="margin:0 0 16px;font:16px/1.5 ${font};color:${ink};${more}">${html}</p>`;

function row(name: string, value: string): string {
  const cell = `padding:6px 12px 6px 0;vertical-align:top;font:15px/1.4 ${font};border-top:1px solid ${edge};overflow-wrap:anywhere;word-break:break-word`;
  return `<tr><th scope="row" align="left" style="${cell};font-weight:400;color:${soft};width:40%">${lines(name)}</th><td style="${cell};color:${ink}">${lines(value)}</td></tr>`;
}

function blockHtml(block: Block, color: string): string {
  switch (block.kind) {
    case 'text':
      return paragraph(lines(block.text));
    case 'heading':
      return `<h2 style="margin:24px 0 8px;font:600 17px/1.4 ${font};color:${ink}">${lines(block.text)}</h2>`;
    case 'code':
      return `<p style="margin:8px 0 24px;font:600 32px/1.2 ${mono};letter-spacing:6px;color:${ink}">${lines(block.text)}</p>`;
    case 'button':
      return [
        `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 16px"><tr><td style="border-radius:8px;background:${color}">`,
        `<a href="${escaped(block.url)}" style="display:inline-block;padding:12px 24px;font:600 16px/1.25 ${font};color:${inkOn(color)};text-decoration:none">${lines(block.text)}</a></td></tr></table>`,
        `<p style="margin:0 0 16px;font:13px/1.5 ${font};color:${soft};word-break:break-all">${escaped(block.url)}</p>`,
      ].join('');
    case 'rows':
      return `<table cellpadding="0" cellspacing="0" border="0" width="100%" style="margin:0 0 16px;border-collapse:collapse;table-layout:fixed">${block.rows.map(([name, value]) => row(name, value)).join('')}</table>`;
  }
}

const part = (locale: MessageLocale, { subject, blocks }: Content, color: string): string =>
  [
    `<div lang="${locale}">`,
    `<h1 style="margin:0 0 16px;font:600 22px/1.3 ${font};color:${ink}">${lines(subject)}</h1>`,
    ...blocks.map((block) => blockHtml(block, color)),
    '</div>',
  ].join('\n');

const name = ({ name, logoUrl }: MessageBrand): string =>
  logoUrl === null
    ? `<span style="font:600 18px/1.3 ${font};color:${ink}">${escaped(name)}</span>`
    : `<img src="${escaped(logoUrl)}" alt="${escaped(name)}" height="36" style="display:block;height:36px;max-width:240px;border:0;font:600 18px/36px ${font};color:${ink}">`;

/** The HTML of a mail: each language in turn. @param foot who it is from, and what we never ask for */
export function mailHtml(
  parts: readonly (readonly [MessageLocale, Content, foot: string])[],
  subject: string,
  brand: MessageBrand,
): string {
  const { color } = brand;
  const between = `<hr style="margin:24px 0;border:0;border-top:1px solid ${edge}">`;
  const feet = parts
    .map(([locale, , foot]) => `<p lang="${locale}" style="margin:0 0 8px">${lines(foot)}</p>`)
    .join('');
  return `<!doctype html>
<html lang="${parts[0]?.[0] ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light only">
<title>${escaped(subject)}</title>
</head>
<body style="margin:0;padding:0;background:#f4f6f9">
<table role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%" style="background:#f4f6f9"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%" style="max-width:560px;background:#ffffff;border:1px solid ${edge};border-top:4px solid ${color};border-radius:8px">
<tr><td style="padding:24px 28px 0">${name(brand)}</td></tr>
<tr><td style="padding:24px 28px 12px">
${parts.map(([locale, content]) => part(locale, content, color)).join(`\n${between}\n`)}
</td></tr>
<tr><td style="padding:0 28px 20px;font:13px/1.5 ${font};color:${soft}">${feet}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}
