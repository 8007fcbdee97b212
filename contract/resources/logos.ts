import Type, { type Static } from 'typebox';
import { logoLimits } from '../core/logos.ts';
import { Closed } from '../core/schema.ts';

const { side, keptBytes } = logoLimits;

const Side = Type.Integer({ minimum: 1, maximum: side, description: 'In pixels' });

export const Logo = Closed({
  logo_url: Type.String({
    format: 'uri',
    description: 'What `branding.logo_url` is set to, so that the hosted pages show it',
  }),
  width: Side,
  height: Side,
  bytes: Type.Integer({ minimum: 1, maximum: keptBytes, description: 'Of the file as it is kept' }),
});

export type Logo = Static<typeof Logo>;
