import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const folder = new URL('./', import.meta.url);
const guide = new URL('../../docs/guide/journeys.md', import.meta.url);

test('the guide names every journey, with its sentence and its page', async () => {
  const text = await readFile(guide, 'utf8');
  const pages = (await readdir(folder)).filter((name) => name.endsWith('.out.md'));
  expect(pages.length).toBeGreaterThan(15);
  for (const page of pages.filter((name) => name !== 'pay-by-qr.out.md')) {
    const [heading = '', , lead = ''] = (await readFile(new URL(page, folder), 'utf8')).split('\n');
    expect(text).toContain(`[${heading.replace('# ', '')}](../../test/journeys/${page})`);
    expect(text).toContain(lead);
  }
});
