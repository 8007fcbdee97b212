import { afterAll, expect, test } from 'vitest';
import { settingsOf } from '../../test/kit/processes/settings.ts';
import { openServer } from '../../test/kit/server.ts';
import { openDeployment } from './deployment.ts';
import { operations as documents } from './documents.ts';

const server = await openServer({ workers: false });
const { tenantId: tenant } = server.tenant;
const deployment = openDeployment({ ...settingsOf(server), LOG_LEVEL: 'silent' });
afterAll(() => deployment.close());

const textOf = (document_type: string, version: string, said = 'All of it.') => ({
  document_type,
  version,
  title: { en: 'A text', es: 'Un texto' },
  text: { en: said, es: 'Todo.' },
});
const versions = async () =>
  Object.fromEntries(
    (await documents.show(deployment, { tenant })).documents.map((one) => [
      one.document_type,
      one.version,
    ]),
  );

test('a file of documents is published whole or not at all, and may be given again', async () => {
  const [privacy, terms] = [
    textOf('privacy_notice', '2090-01-01'),
    textOf('digital_account_terms', '2090-01-01'),
  ];
  const before = await versions();
  const older = textOf('digital_account_terms', '1990-01-01');
  await expect(
    documents.publish(deployment, { tenant, documents: [privacy, older] }),
  ).rejects.toMatchObject({ param: 'version', details: { reason: 'not_newer' } });
  expect(await versions()).toEqual(before);
  await expect(
    documents.publish(deployment, { tenant, documents: [terms, privacy, terms] }),
  ).rejects.toMatchObject({
    param: 'documents.2.document_type',
    details: { reason: 'given_twice' },
  });
  expect(await versions()).toEqual(before);

  // As a publication leaves it that was ended half way.
  await documents.publish(deployment, { tenant, documents: [privacy] });
  const again = await documents.publish(deployment, { tenant, documents: [privacy, terms] });
  expect(again).toMatchObject({
    already: [{ document_type: 'privacy_notice', version: '2090-01-01' }],
    published: [{ document_type: 'digital_account_terms', version: '2090-01-01' }],
  });
  expect(
    await documents.publish(deployment, { tenant, documents: [privacy, terms] }),
  ).toMatchObject({
    published: [],
  });
  const other = textOf('privacy_notice', '2090-01-01', 'Something else.');
  await expect(documents.publish(deployment, { tenant, documents: [other] })).rejects.toMatchObject(
    {
      details: { reason: 'already_published' },
    },
  );
});
