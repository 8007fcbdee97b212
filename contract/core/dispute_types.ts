/** Of what a notice of dispute can speak. It is apart from the schemas, so that pages can load it without them. */
export const disputeTypes = ['error', 'unauthorized_transfer', 'purchase_dispute'] as const;
