import { iconOf } from '@tenant-payments/contract/core/mark.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Service } from '../../service.ts';
import { noSuchPath } from '../serve/errors.ts';
import { type PageFrame, sendPage } from './page_frame.ts';
import type { WebAssets } from './web_assets.ts';

/** The paths where people sign in, and decide what a program may do (rules/sign-in#18, rules/device-sign-in#12). */
const signInPaths = ['/portal/sign-in', '/portal/device'];

/**
 * The pages of portal and console; their files are among those of the hosted pages. Tokens are in the fragment,
 * which browsers do not send; no other site may frame one.
 */
export function servePortalPages(
  app: FastifyInstance,
  { environment, config }: Pick<Service, 'environment' | 'config'>,
  pages: WebAssets,
): void {
  // Facts of the deployment: `web/staff/api/environment.ts` reads them.
  const data = { api: config.publicUrl, docs: config.docs === 'off' ? 'off' : 'on' };

  const logo = iconOf(environment);

  async function page(
    reply: FastifyReply,
    name: 'sign_in' | 'portal' | 'console',
    waiting: PageFrame['waiting'],
  ): Promise<FastifyReply> {
    const assets = await pages.of(name);
    reply.header('cross-origin-opener-policy', 'same-origin');
    return sendPage(reply, {
      environment,
      name: 'Tenant Payments',
      color: '#1f5eff',
      assets,
      frameOrigins: [],
      data: name === 'sign_in' ? { ...data, logo } : data,
      ...(name === 'sign_in' && { logo }),
      waiting,
      // For the style sheets that Mantine writes; see `web/staff/trusted_types.ts`.
      ...(name !== 'sign_in' && { trustedTypes: 'default' as const }),
      ...(name === 'portal' && { framesOwn: true as const }),
      passkeyUse: '(self)',
    });
  }

  for (const path of signInPaths)
    app.get(path, (_request, reply) => page(reply, 'sign_in', 'card'));
  // The script knows the pages behind it, so that each can be opened by its address.
  app.get('/console', (_request, reply) => page(reply, 'console', 'page'));
  app.get('/console/*', (_request, reply) => page(reply, 'console', 'page'));
  app.get('/portal', (_request, reply) => page(reply, 'portal', 'page'));
  app.get<{ Params: { '*': string } }>('/portal/*', ({ params }, reply) => {
    if (/^api(\/|$)/.test(params['*'])) throw noSuchPath();
    return page(reply, 'portal', 'page');
  });
}
