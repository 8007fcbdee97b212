import Type, { type Static } from 'typebox';
import { Closed, Id, Instant, Nullable, Secret } from '../core/schema.ts';

const about = {
  id: Id('Secret identifier'),
  client_id: Type.String({ description: 'The client it belongs to' }),
};

export const Credential = Closed({
  ...about,
  created_at: Instant('When it was created'),
  retired_at: Nullable(Instant('When it was retired')),
  last_used_at: Nullable(
    Instant('When an access token was last got with it, in real time and to the minute'),
  ),
});

export type Credential = Static<typeof Credential>;

export const NewCredential = Closed({
  ...about,
  client_secret: Secret('The secret with its prefix; shown only once'),
  created_at: Instant('When it was created'),
});

export type NewCredential = Static<typeof NewCredential>;

export const RevokedTokens = Closed({
  revoked: Type.Integer({ minimum: 0, description: 'How many access tokens were ended' }),
});

export type RevokedTokens = Static<typeof RevokedTokens>;
