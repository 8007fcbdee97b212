import { isDeepStrictEqual } from 'node:util';
import { Closed, OneOf } from '@tenant-payments/contract/core/schema.ts';
import {
  type DocumentType,
  documentTypes,
  LegalText,
} from '@tenant-payments/contract/resources/documents.ts';
import Type from 'typebox';
import { reviewAct } from '../../backoffice/audit/acts.ts';
import { fail } from '../../engine/fail.ts';
import { assertShape } from '../../service/http/serve/validation.ts';
import { listDocumentVersions } from '../../service/resources/customers/documents/progress.ts';
import {
  type NewVersion,
  publicationRefusal,
  publishForAll,
} from '../../service/resources/customers/documents/publication.ts';
import { listLegalTexts } from '../../service/resources/customers/documents/read.ts';
import type { Deployment } from './deployment.ts';
import { submitted } from './submit.ts';
import { type OfTenant, openTenant } from './tenant.ts';

const { version, title, text } = LegalText.properties;

const NewVersions = Closed({
  documents: Type.Array(Closed({ document_type: OneOf(documentTypes), version, title, text }), {
    minItems: 1,
    maxItems: documentTypes.length,
  }),
});

interface Publication extends OfTenant {
  /** The documents as given: they are held against the schema here. */
  readonly documents: unknown;
}

/** The versions in force with their texts, the latest published, and what production would refuse of them. */
async function inForce(deployment: Deployment, given: OfTenant) {
  const { context } = await openTenant(deployment, given);
  const [{ data: versions }, { data: texts }] = await Promise.all([
    listDocumentVersions(context),
    listLegalTexts(context, {}),
  ]);
  return versions.flatMap(({ document_type, version, latest, sample, lacks }) =>
    texts
      .filter((of) => of.document_type === document_type && of.version === version)
      .map(({ title, text }) => ({ document_type, version, latest, sample, lacks, title, text })),
  );
}

/** @throws ApiError parameter_invalid: the second of one type might be refused once the first is published */
function assertOneOfEach(given: readonly NewVersion[]): void {
  const types = given.map(({ document_type }) => document_type);
  const again = types.findIndex((type, place) => types.indexOf(type) < place);
  const type = types[again];
  if (type === undefined) return;
  throw fail('parameter_invalid', {
    param: `documents.${again}.document_type`,
    details: { reason: 'given_twice' },
    message: `the file has ${type} twice: leave one of them out`,
  });
}

const isSame = (given: NewVersion, known: NewVersion | undefined): boolean =>
  known !== undefined &&
  given.version === known.version &&
  isDeepStrictEqual([given.title, given.text], [known.title, known.text]);

/** The documents of a Tenant, as a file of them is written and read (rules/documents#27). */
export const operations = {
  /** The versions in force, and what production would refuse of them. */
  async show(deployment: Deployment, given: OfTenant) {
    return { documents: await inForce(deployment, given) };
  },

  /**
   * Publishes those that are not in force yet, so that a file whose publication was ended half way can be given again.
   * Nothing is published where one of them is refused, or one type is given twice. Whoever has the deployment's settings
   * needs nobody else (rules/approvals#12).
   */
  async publish(deployment: Deployment, { tenant, documents }: Publication) {
    assertShape(NewVersions, { documents });
    const given = documents as NewVersion[];
    assertOneOfEach(given);
    const { db, environment } = await deployment.parts();
    const known = await inForce(deployment, { tenant });
    const knownOf = ({ document_type }: NewVersion) =>
      known.find((one) => one.document_type === document_type);
    // Production refuses a sample, also the one that it has.
    const isDone = (one: NewVersion) =>
      isSame(one, knownOf(one)) && !(environment === 'production' && knownOf(one)?.sample);
    const fresh = given.filter((one) => !isDone(one));
    const refused = fresh.find((one) => {
      const found = knownOf(one);
      return found && publicationRefusal(one, found, environment);
    });
    const published: { document_type: DocumentType; version: string; customers: number }[] = [];
    // The command refuses that one alone, as a row of the audit.
    for (const one of refused ? [refused] : fresh) {
      const facts = { fields: [one.document_type] };
      const told = {
        act: reviewAct('documents', 'publish'),
        event: 'review_moved',
        facts,
      } as const;
      const command = publishForAll({ db }, environment);
      published.push(await submitted(deployment, tenant, told, command, one));
    }
    const already = given
      .filter((one) => !fresh.includes(one))
      .map(({ document_type, version: named }) => ({ document_type, version: named }));
    return { published, already };
  },
};
