/** Documents that an identity check may want (rules/identity#13). */
export const identityDocumentKinds = [
  'photo_id',
  'proof_of_address',
  'tax_document',
  'business_document',
] as const;
export type IdentityDocumentKind = (typeof identityDocumentKinds)[number];

export const documentTypesTaken = ['image/jpeg', 'image/png', 'application/pdf'] as const;
export type DocumentContentType = (typeof documentTypesTaken)[number];

/** The limits of an uploaded document. */
export const documentLimits = {
  bytes: 10 * 1024 * 1024,
  /** The longer side of an image, in pixels. */
  side: 6_000,
} as const;

/** The documents that an application needs where nobody has asked for more (31 CFR 1020.220(a)(2)(ii)(A)). */
export const documentsWanted: Readonly<
  Record<'individual' | 'business', readonly IdentityDocumentKind[]>
> = { individual: ['photo_id'], business: ['business_document'] };

/** The documents that an owner of a business gives. */
export const ownerDocumentsWanted: readonly IdentityDocumentKind[] = ['photo_id'];
