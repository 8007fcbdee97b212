import { expect, test } from 'vitest';
import {
  giveSession,
  page,
  useOneWindow,
  useWeb,
  visitor,
  web,
} from '../../kit/pages/browser/web.ts';
import { samplePerson } from '../../kit/people.ts';
import { proveReadable } from '../readable.ts';
import { open, signInAsStaff } from './pages.ts';

/** The board of disputes in the operations console. */

useWeb();
useOneWindow();

test('staff who act in a Tenant act for the platform as soon as they come to the console', async () => {
  const { tenantId } = web.server.tenant;
  await giveSession(visitor.context, await samplePerson(web.server, tenantId));
  await open('', 'Home');
  await page.getByTitle('Switch tenant').filter({ visible: true, hasText: 'Platform' }).waitFor();
});

test('the board is empty, then shows each dispute under its deadline, and says what is late', async () => {
  await signInAsStaff();
  await open('/disputes', 'Disputes');
  await page.getByText('No open disputes').waitFor();
  await proveReadable(page, 'console_board_empty');
  const ana = await web.api.funded('individual', 80_00);
  const { id } = await web.api.dispute(ana, { type: 'error' });
  await web.api.dispute(ana, { type: 'purchase_dispute' });
  await page.reload();
  await page.getByRole('heading', { level: 2, name: 'Without a deadline (1)' }).waitFor();
  await page.getByRole('heading', { level: 2, name: 'Later (1)' }).waitFor();
  await page
    .getByRole('cell', {
      name: /^(Next deadline )?Determination or provisional credit.* ET · \d+ days/,
    })
    .waitFor();
  await web.api.post(`/portal/api/review/disputes/${id}/investigate`, {});
  await web.api.advance(60 * 86_400);
  await page.reload();
  await page.getByRole('alert').getByText('1 dispute has missed a deadline').waitFor();
  await page.getByRole('heading', { level: 2, name: 'Late (1)' }).waitFor();
  await page
    .getByRole('cell', {
      name: /^(Next deadline )?Determination or provisional credit.* · late by \d+ days/,
    })
    .waitFor();
  expect(await page.getByRole('link', { name: 'Error', exact: true }).getAttribute('href')).toMatch(
    /^\/console\/case\/[0-9a-f-]{36}\/disputes\/dsp_/,
  );
  await proveReadable(page, 'console_board');
});
