import type { Texts } from '../en.ts';

/** Questions that several flows ask. */
export const forms: Texts['forms'] = {
  firstName: 'Nombre',
  nameHint: 'Como aparece en su identificación',
  theirNameHint: 'Como aparece en la identificación de la persona',
  lastName: 'Apellido',
  birthDate: 'Fecha de nacimiento',
  date: {
    missing: 'Escriba la fecha de nacimiento',
    missingPart: { month: 'Escriba el mes', day: 'Escriba el día', year: 'Escriba el año' },
    badMonth: 'Escriba un mes del 01 al 12',
    badDay: 'Escriba un día del 01 al 31',
    shortYear: 'Escriba los cuatro dígitos del año',
    badYear: 'Revise el año',
    daysOf: (days, year) => `Ese mes tuvo ${days} días en ${year}`,
  },
  ssn: 'Número de Seguro Social o ITIN',
  ssnHint:
    'Sirve para verificar su identidad y lo guardamos encriptado, nosotros o nuestro proveedor de verificación. Para restablecer el PIN se piden los últimos cuatro dígitos.',
  line1: 'Número y calle',
  line2: 'Apartamento, oficina o unidad',
  city: 'Ciudad',
  state: 'Estado',
  postalCode: 'Código postal',
  mobile: 'Número de celular',
  mobileHint: 'Un celular de EE. UU. que recibe mensajes de texto',
  email: 'Correo electrónico',
  code: 'Código de verificación',
  codeHint: 'Seis dígitos',
  codeSandbox: (code) => `Entorno de prueba: el código es ${code}.`,
  newPin: 'PIN nuevo',
  newPinHint:
    'Seis dígitos difíciles de adivinar. Evite secuencias como 123456 y repeticiones como 121212.',
  repeatPin: 'Escriba el PIN otra vez',
  missing: (label) => `Falta este dato: ${label}`,
  tooYoung: 'Debe tener al menos 18 años',
  badSsn: 'Escriba los nueve dígitos del número de Seguro Social o ITIN',
  badPostalCode: 'Escriba un código postal de cinco dígitos',
  badMobile: 'Escriba un número de EE. UU. de 10 dígitos',
  badEmail: 'Escriba un correo electrónico, como ana@example.com',
  badCode: 'Escriba los seis dígitos del código',
  wrongCode: (attempts) => `El código no es correcto. ${attempts}`,
  pinsDiffer: 'Los dos PIN no coinciden',
  pinRun: 'Las secuencias como 123456 son fáciles de adivinar. Elija otro PIN',
  pinRepetition: 'Las repeticiones como 121212 son fáciles de adivinar. Elija otro PIN',
  pinLength: 'Escriba un PIN de seis dígitos',
};

/** Verifying a number or an address by a code. */
export const codes: Texts['codes'] = {
  title: { mobile: 'Verifique su número de celular', email: 'Verifique su correo electrónico' },
  text: (to) => `Enviaremos un código a ${to}.`,
  ownNumber: (last4) => `su número terminado en ${last4}`,
  send: 'Enviar código',
  other: 'Usar otro número',
  otherTitle: 'Su número de celular',
  enterTitle: 'Escriba el código',
  sent: (to) => `Lo enviamos a ${to}.`,
  check: 'Verificar código',
  again: 'Enviar un código nuevo',
  sentAgain: 'Enviamos un código nuevo.',
};

/** The texts of the documents that a customer accepts. */
export const documents: Texts['documents'] = {
  title: 'Condiciones y avisos',
  text: 'Abra y lea cada documento.',
  version: (version) => `Versión ${version}`,
  holdsFrom: (day) => `Se le aplica desde el ${day}`,
  accept: 'Leí estos documentos y los acepto',
  accepted: 'Documentos que aceptó',
  sample: 'Abrir un estado de cuenta de muestra (PDF)',
  sampleText:
    'Le enviamos los estados de cuenta y los avisos en formato electrónico. Compruebe aquí que puede abrirlos.',
  mustOpen: 'Abra primero el estado de cuenta de muestra',
  mustAccept: 'Marque la casilla para aceptar los documentos',
};
