import { logoLimits } from '@tenant-payments/contract/core/logos.ts';
import { Closed } from '@tenant-payments/contract/core/schema.ts';
import { Logo } from '@tenant-payments/contract/resources/logos.ts';
import Type from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

const { side, sentBytes } = logoLimits;
/** A logo of ours, and the address under which all browsers find it. */
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
