import { logoLimits } from '@tenant-payments/contract/core/logos.ts';
import { Closed } from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

const { side, sentBytes, keptBytes } = logoLimits;
const Side = Type.Integer({ minimum: 1, maximum: side, description: 'In pixels' });

/** A logo of ours, and the address under which all browsers find it. */
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

/** Keeps a picture and changes no setting: whoever saves the branding takes it (rules/operations#72). */
export const uploadLogo = portalEndpoint({
  id: 'uploadLogo',
  method: 'POST',
  path: '/portal/api/logos',
  summary: 'Keep a logo for the hosted pages, written anew from the pixels of a PNG file',
  idempotent: 'none',
  may: ['owner', 'developer', 'admin'],
  of: 'tenant',
  body: Closed({
    png: Type.String({
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      maxLength: Math.ceil(sentBytes / 3) * 4,
      description: `A PNG file in base64: at most ${side} by ${side} pixels and ${sentBytes} bytes, not interlaced`,
    }),
  }),
  success: { status: 201, schema: Logo },
  errors: ['parameter_invalid'],
});
