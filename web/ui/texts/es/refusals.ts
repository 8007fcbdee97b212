import type { Texts } from '../en.ts';

/** Refusals of the service, by reason or by code. */
export const refusals: Texts['refusals'] = {
  payment_in_progress:
    'Ya hay otro pago en curso por esto. No se le cobró nada. Inténtelo de nuevo en unos minutos.',
  too_young: 'La edad mínima es de 18 años.',
  never_given: 'Revise el número de Seguro Social o ITIN. Este número no se asigna nunca.',
  other_name: 'Escriba el mismo nombre que en su primera solicitud.',
  not_supported: 'Elija una imagen JPEG o PNG, o un archivo PDF.',
  too_large: 'El archivo supera los 10 MB. Elija uno más pequeño.',
  damaged: 'No podemos leer este archivo. Tome otra foto o elija otro archivo.',
  identity_documents_missing: 'Agregue cada documento para continuar.',
  too_many_documents: 'Aquí no se pueden agregar más documentos.',
  six_digits: 'Escriba un PIN de seis dígitos.',
  run: 'Las secuencias como 123456 son fáciles de adivinar. Elija otro PIN.',
  repetition: 'Las repeticiones como 121212 son fáciles de adivinar. Elija otro PIN.',
  not_a_us_number: 'Escriba un número de celular de EE. UU.',
  not_a_mobile_number:
    'Este número no puede recibir mensajes de texto. Escriba un número de celular.',
  nothing_visible: 'Escriba al menos una letra o un número.',
  bidirectional_control:
    'Este texto tiene un carácter oculto que invierte el orden de sus letras. Escríbalo de nuevo.',
  duplicate_mobile_number: 'Otro cliente ya usa este número.',
  no_code: 'Pida primero un código.',
  code_expired: 'Este código venció. Pida uno nuevo.',
  code_required: 'Verifique otra vez con un código nuevo.',
  sample_not_opened: 'Abra primero el estado de cuenta de muestra, para saber que puede leerlo.',
  documents_changed:
    'Estos documentos cambiaron desde que los leyó. Léalos de nuevo antes de aceptarlos.',
  too_many_tries: 'Demasiados códigos incorrectos. Pida uno nuevo.',
  too_many_codes: 'No podemos enviar más códigos aquí. Regrese y comience de nuevo.',
  message_bounced: 'No se puede llegar a nadie allí. Revíselo e inténtelo de nuevo.',
  message_undeliverable: 'No se puede llegar a nadie allí. Revíselo e inténtelo de nuevo.',
  message_opted_out:
    'Este número detuvo nuestros mensajes de texto. Responda START al último y pida un código nuevo.',
  no_match: 'Estos datos no coinciden con los que se dieron al abrir la cuenta.',
  no_control_person:
    'Todavía no podemos verificar quién dirige el negocio, así que el PIN no se puede restablecer.',
  reset_closed:
    'Los datos no coincidieron demasiadas veces. El PIN ya no se puede restablecer aquí.',
  no_pin: 'Todavía no tiene PIN.',
  no_passkey: 'Todavía no tiene llave de acceso.',
  proof_required: 'Demuestre otra vez que es usted, con el PIN o una llave de acceso.',
  too_many_passkeys: 'Tiene diez llaves de acceso. Elimine una antes de agregar otra.',
  pin_required: 'Escriba primero su PIN.',
  no_challenge: 'Pasó demasiado tiempo. Inténtelo de nuevo.',
  retry_available_at: 'Es demasiado pronto para intentarlo otra vez.',
  final: 'Esta decisión es definitiva.',
  parameter_invalid: 'Algo de lo que escribió no es correcto. Revíselo e inténtelo de nuevo.',
  invalid_state: 'Esto ya no es posible.',
};
