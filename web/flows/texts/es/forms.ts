import type { Texts } from '../en.ts';

/** Questions that several flows ask. */
export const forms: Texts['forms'] = {
  firstName: 'Nombre',
  nameHint: 'Como aparece en su identificación',
  theirNameHint: 'Como aparece en la identificación de la persona',
  lastName: 'Apellidos',
  birthDate: 'Fecha de nacimiento',
  date: {
    hint: 'Por ejemplo: 03 / 14 / 1987',
    parts: { month: 'Mes', day: 'Día', year: 'Año' },
    missing: 'Escriba la fecha de nacimiento',
    missingPart: { month: 'Escriba el mes', day: 'Escriba el día', year: 'Escriba el año' },
    badMonth: 'Escriba un mes del 01 al 12',
    badDay: 'Escriba un día del 01 al 31',
    shortYear: 'Escriba los cuatro dígitos del año',
    badYear: 'Revise el año',
    daysOf: (days, year) => `Ese mes tuvo ${days} días en ${year}`,
  },
  ssn: 'Número de Seguro Social',
  ssnHint:
    'Nuestro proveedor de verificación de identidad lo comprueba y lo guarda. Nosotros no lo guardamos. Para restablecer el PIN se piden los últimos cuatro dígitos.',
  line1: 'Calle y número',
  line2: 'Apartamento u oficina',
  city: 'Ciudad',
  state: 'Estado',
  choose: 'Elija',
  postalCode: 'Código postal',
  mobile: 'Número de móvil',
  mobileHint: 'Un número de EE. UU.',
  email: 'Correo electrónico',
  code: 'Código',
  codeHint: 'Seis cifras',
  codeSandbox: (code) => `Entorno de prueba: el código es ${code}.`,
  newPin: 'PIN nuevo',
  newPinHint:
    'Seis cifras difíciles de adivinar. Evite series como 123456 y repeticiones como 121212.',
  repeatPin: 'Repita el PIN',
  missing: (label) => `Falta: ${label}`,
  tooYoung: 'Debe tener al menos 18 años',
  badSsn: 'Escriba los nueve dígitos del número de Seguro Social',
  badPostalCode: 'Un código postal tiene cinco cifras',
  badMobile: 'Escriba un número de móvil con su código de área',
  badEmail: 'Escriba un correo electrónico, como ana@example.com',
  badCode: 'El código tiene seis cifras',
  wrongCode: (attempts) => `El código no es correcto. ${attempts}`,
  pinsDiffer: 'Los dos PIN no coinciden',
  pinRun: 'Las cifras seguidas son fáciles de adivinar. Elija otro PIN',
  pinRepetition: 'Las cifras repetidas son fáciles de adivinar. Elija otro PIN',
  pinLength: 'Un PIN tiene seis cifras',
};

/** Verifying a number or an address by a code. */
export const codes: Texts['codes'] = {
  title: { mobile: 'Verifique su número de móvil', email: 'Verifique su correo electrónico' },
  text: (to) => `Enviaremos un código a ${to}.`,
  ownNumber: (last4) => `su número terminado en ${last4}`,
  send: 'Enviar código',
  other: 'Usar otro número',
  otherTitle: 'Su número de móvil',
  enterTitle: 'Escriba el código',
  sent: (to) => `Lo enviamos a ${to}.`,
  check: 'Comprobar código',
  again: 'Enviar un código nuevo',
  sentAgain: 'Enviamos un código nuevo.',
};

/** What a customer accepts. */
export const documents: Texts['documents'] = {
  title: 'Condiciones y avisos',
  text: 'Abra y lea cada documento.',
  version: (version) => `Versión ${version}`,
  accept: 'He leído estos documentos y los acepto',
  accepted: 'Documentos que aceptó',
  mustAccept: 'Acepte los documentos para continuar',
};
