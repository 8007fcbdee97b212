import type { Texts } from '../en.ts';

/** Why the service refused, by its reason or its code. */
export const refusals: Texts['refusals'] = {
  payment_in_progress:
    'Ya hay otro pago en curso por esto. No se cobró nada. Inténtelo en unos minutos.',
  too_young: 'Debe tener al menos 18 años.',
  never_given: 'Revise el número: la Administración del Seguro Social no asigna este.',
  six_digits: 'Un PIN tiene seis cifras.',
  run: 'Elija un PIN que no sea una serie, como 123456.',
  repetition: 'Elija un PIN que no se repita, como 121212.',
  not_a_us_number: 'Escriba un número de móvil de los Estados Unidos.',
  duplicate_mobile_number: 'Otra persona ya usa este número aquí.',
  no_code: 'Pida primero un código.',
  code_expired: 'Este código es demasiado antiguo. Pida uno nuevo.',
  code_required: 'Hay que comprobar su código otra vez. Pida uno nuevo.',
  too_many_tries: 'Demasiados códigos incorrectos. Pida uno nuevo.',
  too_many_codes: 'Aquí no se pueden enviar más códigos. Vuelva atrás y empiece de nuevo.',
  no_match: 'Estas respuestas no son las que recibimos al abrir la cuenta.',
  no_pin: 'Todavía no hay PIN.',
  no_passkey: 'Todavía no hay llave de acceso.',
  no_challenge: 'Pasó demasiado tiempo. Inténtelo de nuevo.',
  retry_available_at: 'Es demasiado pronto para intentarlo otra vez.',
  final: 'Esta decisión es definitiva.',
  parameter_invalid: 'Algo de lo que escribió no es correcto. Revíselo e inténtelo de nuevo.',
  invalid_state: 'Esto ya no es posible.',
};
