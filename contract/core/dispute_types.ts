/**
 * The types of dispute that a notice can name. They are apart from the schemas, so that pages can load it without them.
 */
export const disputeTypes = ['error', 'unauthorized_transfer', 'purchase_dispute'] as const;
