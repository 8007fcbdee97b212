import { chooseAccount, openBank } from './bank.ts';
import { confirmByPasskey, confirmByPin, declineRecord, passkeyChallenge } from './confirm.ts';
import type { HostedEndpoint } from './endpoint.ts';
import {
  changeContact,
  checkCode,
  decideTerms,
  inviteOwnerAgain,
  nameOwner,
  openOwnerLink,
  readDocuments,
  resetPin,
  sendCode,
  submitOnboarding,
  submitOwner,
} from './flows.ts';
import { giveIdentityDocument, giveOwnerDocument } from './identity_documents.ts';
import { openIdentityStep } from './identity_session.ts';
import {
  addPasskey,
  finishPasskeys,
  newPasskeyOptions,
  proofChallenge,
  proveByPasskey,
  proveByPin,
  removePasskey,
} from './passkeys.ts';
import { keepAlive, leaveSession, openSession, takeResult, viewSession } from './session.ts';

/** Every operation behind the hosted pages (rules/hosted#4). */
export const hostedEndpoints = {
  openSession,
  viewSession,
  keepAlive,
  leaveSession,
  takeResult,
  confirmByPin,
  passkeyChallenge,
  confirmByPasskey,
  declineRecord,
  newPasskeyOptions,
  addPasskey,
  proveByPin,
  proofChallenge,
  proveByPasskey,
  removePasskey,
  finishPasskeys,
  sendCode,
  checkCode,
  submitOnboarding,
  giveIdentityDocument,
  openIdentityStep,
  nameOwner,
  inviteOwnerAgain,
  resetPin,
  changeContact,
  readDocuments,
  decideTerms,
  openOwnerLink,
  giveOwnerDocument,
  submitOwner,
  openBank,
  chooseAccount,
} as const satisfies Record<string, HostedEndpoint>;

export type HostedEndpointId = keyof typeof hostedEndpoints;
