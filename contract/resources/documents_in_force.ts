import Type, { type Static } from 'typebox';
import { Closed, Instant, Nullable, OneOf } from '../core/schema.ts';
import { documentTypes, LegalText } from './documents.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const { version, title, published_at } = LegalText.properties;

export const DocumentInForce = Closed({
  object: Type.Literal('document_in_force'),
  document_type: OneOf(documentTypes),
  version,
  title,
  published_at,
  effective_at: Instant('From when on it holds for those who accepted an earlier version'),
  security_reason: Nullable(
    Type.String({ description: 'For which it holds at once; null: it waits for its day' }),
  ),
  sample: Type.Boolean({ description: 'It says that it is a sample, which production refuses' }),
  lacks: Type.Array(Type.String(), {
    description: 'Of the terms: parts of 12 CFR 1005.7(b) that the text does not say',
  }),
  latest: Type.String({ description: 'A new version must be later than this one' }),
  must_accept: Count('Customers whom a new version would ask'),
  accepted: Count('Of them, those who accepted this version or a later one'),
  to_accept: Count('Of them, those who accepted an earlier one only'),
  not_asked: Count('Of those, whom the publication has still to ask'),
  spread_at: Nullable(Instant('When all had been asked; null: not yet, or no one had to be')),
});

export type DocumentInForce = Static<typeof DocumentInForce>;
