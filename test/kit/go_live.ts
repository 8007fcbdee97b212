import { sampleMarks } from '@tenant-payments/contract/core/disclosures.ts';
import {
  type Institution,
  sampleInstitution,
} from '@tenant-payments/contract/core/institutions.ts';
import { documentTypes } from '@tenant-payments/contract/resources/documents.ts';
import { publishForAll } from '../../service/resources/customers/documents/publication.ts';
import { english } from '../../service/resources/customers/documents/samples/en.ts';
import { spanish } from '../../service/resources/customers/documents/samples/es.ts';
import type { Service } from '../../service/service.ts';

export const institution: Institution = { ...sampleInstitution, name: 'Harbor Programs, Inc.' };

/** Texts that are no samples, as a program's lawyers would hand them over. */
export const realTexts = (version: string) =>
  documentTypes.map((document_type) => ({
    document_type,
    version,
    title: { en: english[document_type].title, es: spanish[document_type].title },
    text: {
      en: english[document_type].text.replace(sampleMarks.en, ''),
      es: spanish[document_type].text.replace(sampleMarks.es, ''),
    },
  }));

/** Publishes the texts of a Tenant of production, without which it takes no customers. */
export async function publishRealTexts(
  { db, engine, environment }: Pick<Service, 'db' | 'engine' | 'environment'>,
  tenantId: string,
): Promise<void> {
  for (const input of realTexts('2026-02'))
    await engine.submit(publishForAll({ db }, environment), { tenantId, input });
}
