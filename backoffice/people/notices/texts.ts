import { type Contents, contentOf } from '@tenant-payments/service/rails/mail/content.ts';
import type { MessageLocale } from '@tenant-payments/service/rails/messages.ts';

/** The texts for a person, and for who manages a scope, in both languages; `{name}` is filled in. */
const texts = {
  passkey_added: {
    en: ['You have a new passkey', 'On {when} a passkey was made for you at {site}.'],
    es: [
      'Tiene una clave de acceso nueva',
      'El {when} se creó una clave de acceso para usted en {site}.',
    ],
  },
  account_linked: {
    en: [
      'Your organization’s account was linked',
      'On {when} an account was linked to you at {site}.',
    ],
    es: [
      'Se vinculó su cuenta de la organización',
      'El {when} se vinculó una cuenta con usted en {site}.',
    ],
  },
  recovery_code_used: {
    en: [
      'A recovery code was used',
      'On {when} somebody signed in as you at {site} with a recovery code.',
    ],
    es: [
      'Se usó un código de recuperación',
      'El {when} alguien entró como usted en {site} con un código de recuperación.',
    ],
  },
  recovery_codes_replaced: {
    en: ['You have new recovery codes', 'On {when} your recovery codes at {site} were replaced.'],
    es: [
      'Tiene códigos de recuperación nuevos',
      'El {when} se reemplazaron sus códigos de recuperación en {site}.',
    ],
  },
  api_key_made: {
    en: [
      'An API key was made for you',
      'On {when} an API key of {scope} with the roles {roles} was made for you at {site}.',
    ],
    es: [
      'Se creó una clave de API para usted',
      'El {when} se creó en {site} una clave de API de {scope} con los roles {roles} para usted.',
    ],
  },
  roles_changed: {
    en: ['Your roles have changed', 'On {when} your roles in {scope} at {site} became: {roles}.'],
    es: [
      'Sus roles han cambiado',
      'El {when} sus roles en {scope} en {site} pasaron a ser: {roles}.',
    ],
  },
  session_moved: {
    en: [
      'Your session is used from another place',
      'On {when} your session at {site} appeared at the address {address}, in another browser. It changes nothing before your passkey is proven there. If that is not you, end the session.',
    ],
    es: [
      'Su sesión se usa desde otro lugar',
      'El {when} su sesión en {site} apareció en la dirección {address}, con otro navegador. No cambia nada hasta que se confirme allí con su clave de acceso. Si no es usted, cierre la sesión.',
    ],
  },
  manager_added: {
    en: [
      'Somebody new may manage or approve',
      'On {when} {person} got these roles in {scope} at {site}: {roles}.',
    ],
    es: [
      'Alguien nuevo puede administrar o aprobar',
      'El {when} {person} recibió estos roles en {scope} en {site}: {roles}.',
    ],
  },
} as const satisfies Readonly<
  Record<string, Readonly<Record<'en' | 'es', readonly [string, string]>>>
>;

export type NoticeKind = keyof typeof texts;

const ending = {
  en: ' If you know nothing of it, tell an owner or admin right away.',
  es: ' Si no sabe nada de esto, avise de inmediato a un propietario o administrador.',
};
const nothing = { en: 'none', es: 'ninguno' };

export interface NoticeFacts {
  readonly when: string;
  readonly site: string;
  readonly scope: string;
  /** Absent: none. */
  readonly roles: string;
  readonly person: string;
  /** The address of the client. */
  readonly address: string;
}

export function wordNotice(kind: NoticeKind, facts: NoticeFacts): Contents {
  const worded = (language: MessageLocale) => {
    const [subject, body] = texts[kind][language];
    const values = { ...facts, roles: facts.roles || nothing[language] };
    return contentOf({ subject, body: `${body}${ending[language]}` }, values);
  };
  return { en: worded('en'), es: worded('es') };
}

const invitation = {
  en: {
    subject: 'You are invited to {scope}',
    body: 'You are invited to work with {scope} at {site}. Open the link and make a passkey; it then signs you in.\n\n[Accept the invitation]({link})\n\nThe link is yours alone and works once, until {until}. If you do not expect it, do not open it.',
  },
  es: {
    subject: 'Le invitan a {scope}',
    body: 'Le invitan a trabajar con {scope} en {site}. Abra el enlace y cree una clave de acceso; con ella podrá entrar.\n\n[Aceptar la invitación]({link})\n\nEl enlace es solo para usted y sirve una vez, hasta el {until}. Si no lo espera, no lo abra.',
  },
};

/** An invitation in both languages. */
export const wordInvitation = (
  facts: Readonly<Record<'scope' | 'site' | 'link' | 'until', string>>,
): Contents => ({ en: contentOf(invitation.en, facts), es: contentOf(invitation.es, facts) });
