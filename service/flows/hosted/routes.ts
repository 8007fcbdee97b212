import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { hostedEndpoints } from '@tenant-payments/contract/hosted/catalog.ts';
import type { Command } from '@tenant-payments/engine/command.ts';
import type { FastifyInstance } from 'fastify';
import { widgetFor } from '../../config/adapters.ts';
import { hostedSite } from '../../config/sites.ts';
import type { Rails } from '../../rails/rails.ts';
import { openIdentitySealer } from '../../resources/identity/vault.ts';
import { openFlow, signOfLife, takeResult } from '../../resources/sessions/open_flow.ts';
import type { Service } from '../../service.ts';
import { reportPasskey, reportRefusal, reportVerdict } from './attempt_events.ts';
import { customerOf, type PageCaller, tenantOf } from './caller.ts';
import { checkCode, openCodes } from './codes.ts';
import { submitApplication } from './onboarding/application.ts';
import { applicantContact } from './onboarding/contact.ts';
import { openGivenDocuments } from './onboarding/documents.ts';
import { openIdentityStep } from './onboarding/identity_step.ts';
import { openOwnerPage } from './onboarding/owner_page.ts';
import { assertOnboarding, openOwners } from './onboarding/owners.ts';
import { addPasskey, newPasskeyOptions } from './passkeys/add.ts';
import { relyingPartyOf } from './passkeys/challenge.ts';
import { confirmationOptions, confirmByPasskey } from './passkeys/confirm.ts';
import { proofOptions, proveByPasskey, proveByPin } from './passkeys/prove.ts';
import { finishPasskeys, removePasskey } from './passkeys/remove.ts';
import { openComparing, openPinUse, type TryPin } from './pin/pin.ts';
import { openPinReset } from './pin/reset.ts';
import { changeContactByPin, confirmByPin } from './pin/uses.ts';
import { openHostedServing } from './serve.ts';
import { declineRecord, leaveSession, type OfSession, refusal } from './session.ts';
import { decideTerms } from './terms.ts';
import { readDocuments } from './view/documents.ts';
import { readView } from './view/view.ts';

/** The JSON behind the hosted pages (rules/hosted#4): every operation written out. */
export function registerHosted(scope: FastifyInstance, service: Service, rails: Rails): void {
  const { engine, db, vault, config } = service;
  const { pinPeppers } = config;
  const { open, opened, linked } = openHostedServing(scope, service);
  const forPasskeys = { engine, db, relyingParty: relyingPartyOf(hostedSite(config)) };
  const optionsToConfirm = confirmationOptions(forPasskeys);
  const optionsToAdd = newPasskeyOptions(forPasskeys);
  const confirmByKey = confirmByPasskey(forPasskeys);
  const addKey = addPasskey(forPasskeys);
  const forPins = { engine, compare: openComparing(pinPeppers) };
  const owners = openOwners({ service, ...rails });
  const bank = service.sandboxTools?.bank;

  const takesDocuments = rails.identity.can?.documents ?? false;
  const hasIdentityStep = widgetFor(config.adapters, 'identity') !== undefined;
  const sealer = takesDocuments ? openIdentitySealer(config) : null;
  const ownerPage = openOwnerPage(service, rails.identity, sealer);
  const viewing = { ...service, takesDocuments, hasIdentityStep };
  const view = ({ tenantId, sessionId }: PageCaller) => readView(viewing, tenantId, sessionId);

  /** Runs a command of a page's session. @returns the JSON text of its answer */
  async function run<I extends object, L, P>(
    command: Command<I & OfSession, L, P>,
    { tenantId, sessionId, actor }: PageCaller,
    input: I,
  ): Promise<string> {
    return (await engine.submit(command, { tenantId, actor, input: { ...input, sessionId } })).body;
  }

  open(hostedEndpoints.openSession, async ({ token, opener }) => {
    const tenantId = tenantOf(service, token);
    const own = opener && vault.secretOf(tenantId, 'fb', `${token} ${opener}`);
    const input = { token, ...(own && { bearer: own }) };
    const { body } = await engine.submit(openFlow, { tenantId, input });
    const { session, bearer } = JSON.parse(body);
    return { bearer, view: await readView(viewing, tenantId, uuidOf('session', session.id) ?? '') };
  });
  opened(hostedEndpoints.viewSession, view);
  opened(hostedEndpoints.keepAlive, async (caller) => {
    const { tenantId, bearer } = caller;
    await engine.submit(signOfLife, { tenantId, input: { bearer } });
    return view(caller);
  });
  opened(hostedEndpoints.leaveSession, async (caller) => {
    await run(leaveSession, caller, {});
    return view(caller);
  });
  opened(hostedEndpoints.takeResult, async ({ tenantId, bearer }) =>
    JSON.parse((await engine.submit(takeResult, { tenantId, input: { bearer } })).body),
  );

  const confirm = openPinUse(forPins, confirmByPin);
  const verdict = async (caller: PageCaller, tryPin: TryPin, pin: string) => {
    const result = reportVerdict(caller, await tryPin(caller, pin));
    return { ...result, view: await view(caller) };
  };
  opened(hostedEndpoints.confirmByPin, (caller, { pin }) => verdict(caller, confirm, pin));
  opened(hostedEndpoints.passkeyChallenge, async ({ tenantId, sessionId }) => ({
    options: await optionsToConfirm(tenantId, sessionId),
  }));
  opened(hostedEndpoints.confirmByPasskey, async (caller, { credential }) => {
    await reportPasskey(caller, run(confirmByKey, caller, { credential }));
    return view(caller);
  });
  opened(hostedEndpoints.declineRecord, async (caller) => {
    await run(declineRecord, caller, {});
    return view(caller);
  });
  opened(hostedEndpoints.newPasskeyOptions, async ({ tenantId, sessionId }) => ({
    options: await optionsToAdd(tenantId, sessionId),
  }));
  opened(hostedEndpoints.addPasskey, async (caller, { credential }) => {
    await run(addKey, caller, { credential });
    caller.tell('passkey_added');
    return view(caller);
  });

  const fixedCode = service.sandboxTools?.messageCode ?? null;
  const optionsToProve = proofOptions(forPasskeys);
  const proveByKey = proveByPasskey(forPasskeys);
  const provePin = openPinUse(forPins, proveByPin);
  opened(hostedEndpoints.proveByPin, (caller, { pin }) => verdict(caller, provePin, pin));
  opened(hostedEndpoints.proofChallenge, async ({ tenantId, sessionId }) => ({
    options: await optionsToProve(tenantId, sessionId),
  }));
  opened(hostedEndpoints.proveByPasskey, async (caller, { credential }) => {
    await reportPasskey(caller, run(proveByKey, caller, { credential }));
    return view(caller);
  });
  opened(hostedEndpoints.removePasskey, async (caller, { id }) => {
    await run(removePasskey, caller, { id });
    caller.tell('passkey_removed');
    return view(caller);
  });
  opened(hostedEndpoints.finishPasskeys, async (caller) => {
    await run(finishPasskeys, caller, {});
    return view(caller);
  });

  const sendCode = openCodes({ engine, vault, messages: rails.messages, fixedCode });
  const check = checkCode(vault);
  opened(hostedEndpoints.sendCode, sendCode);
  opened(hostedEndpoints.checkCode, async (caller, { code }) => {
    const checked = JSON.parse(await run(check, caller, { code }));
    caller.tell(checked.is_right ? 'code_accepted' : 'code_refused');
    return { ...checked, view: await view(caller) };
  });

  const submit = submitApplication({ identity: rails.identity, pinPeppers, takesDocuments });
  opened(hostedEndpoints.submitOnboarding, async (caller, given) => {
    const customer = await customerOf(service, caller);
    const { today, now, locale } = caller;
    const contact = await applicantContact(service, caller);
    await run(submit, caller, { ...given, customer, today, now, contact, locale });
    return view(caller);
  });
  const give = sealer && openGivenDocuments(service, sealer);
  opened(hostedEndpoints.giveIdentityDocument, async (caller, given) => {
    if (!give) throw refusal('no_documents');
    await give(caller, given);
    return view(caller);
  });
  opened(hostedEndpoints.openIdentityStep, openIdentityStep(service, rails.identity));
  opened(hostedEndpoints.nameOwner, async (caller, given) => {
    await assertOnboarding(service, caller);
    await owners.name(caller, given);
    return view(caller);
  });
  opened(hostedEndpoints.inviteOwnerAgain, async (caller, { id, ...given }) => {
    await assertOnboarding(service, caller);
    await owners.remind(caller, id, given);
    return view(caller);
  });

  const reset = openPinReset({ engine, db, identity: rails.identity, pinPeppers });
  opened(hostedEndpoints.resetPin, async (caller, given) => {
    const customer = await customerOf(service, caller);
    await reportRefusal(caller, 'identity_refused', reset(caller, customer, given));
    caller.tell('pin_reset');
    return view(caller);
  });
  const change = openPinUse(forPins, changeContactByPin);
  opened(hostedEndpoints.changeContact, async (caller, { pin }) => {
    const result = await verdict(caller, change, pin);
    if (result.verdict === 'right') caller.tell('contact_changed');
    return result;
  });
  opened(hostedEndpoints.readDocuments, ({ tenantId, sessionId }) =>
    readDocuments(service, tenantId, sessionId),
  );
  opened(hostedEndpoints.decideTerms, async (caller, { decision, documents }) => {
    const { locale } = caller;
    await run(decideTerms, caller, { decision, documents: documents ?? null, locale });
    return view(caller);
  });

  open(hostedEndpoints.openOwnerLink, ({ token }) => ownerPage.view(token));
  linked(hostedEndpoints.giveOwnerDocument, (token, given) => ownerPage.give(token, given));
  open(hostedEndpoints.submitOwner, ({ token, person }) => ownerPage.submit(token, person));
  if (bank) {
    open(hostedEndpoints.openBank, ({ link_token }) => bank.open(link_token));
    open(hostedEndpoints.chooseAccount, (choice) => bank.choose(choice));
  }
}
