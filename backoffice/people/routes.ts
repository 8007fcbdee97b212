import type { Messages } from '@tenant-payments/service/rails/messages.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance } from 'fastify';
import { serveDeviceSignIn } from './device/routes.ts';
import { serveAcceptance } from './invitations/acceptance.ts';
import { serveManaging } from './members/manage.ts';
import { serveMine } from './my.ts';
import { openNotices } from './notices/notices.ts';
import { openPersonServing } from './serve.ts';
import { serveCurrent } from './sessions/current.ts';
import { openAttempts } from './sign_in/attempts.ts';
import { serveSignIn } from './sign_in/sign_in.ts';
import { registerSingleSignOn } from './single_sign_on/routes.ts';
import { serveSupport } from './support/routes.ts';

/** How people sign in, and who they are (rules/sign-in#1). Behind the portal's guard. */
export function registerPeople(scope: FastifyInstance, service: Service, messages: Messages): void {
  const notices = openNotices(service, messages);
  const serving = openPersonServing(scope, service, notices);
  const attempts = openAttempts(service);
  serveSignIn(serving, service, attempts);
  serveCurrent(serving, service, attempts);
  serveMine(serving, service);
  serveAcceptance(serving, service, attempts);
  serveManaging(scope, service, messages, notices);
  serveSupport(scope, serving, service);
  serveDeviceSignIn(serving, service, attempts);
  registerSingleSignOn(scope, service, serving, attempts);
}
