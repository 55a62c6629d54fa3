import type { AccountMailWords, FactorName } from './en.ts'

const added = ({ kind, name }: FactorName, brand: string): string =>
  ({
    codeApp: `Se agregó una aplicación de autenticación a su cuenta de ${brand}. Desde ahora puede iniciar sesión con ella.`,
    recoveryCodes: `Se agregaron códigos de recuperación a su cuenta de ${brand}. Desde ahora puede iniciar sesión con ellos.`,
    passkey:
      name === undefined
        ? `Se agregó una llave de acceso a su cuenta de ${brand}. Desde ahora puede iniciar sesión con ella.`
        : `Se agregó la llave de acceso “${name}” a su cuenta de ${brand}. Desde ahora puede iniciar sesión con ella.`,
  })[kind]

const removed = ({ kind, name }: FactorName, brand: string): string =>
  ({
    codeApp: `Se quitó la aplicación de autenticación de su cuenta de ${brand}.`,
    recoveryCodes: `Se quitaron los códigos de recuperación de su cuenta de ${brand}.`,
    passkey:
      name === undefined
        ? `Se quitó una llave de acceso de su cuenta de ${brand}.`
        : `Se quitó la llave de acceso “${name}” de su cuenta de ${brand}.`,
  })[kind]

function codeUsed(left: number): string {
  const begin = 'Se usó un código de recuperación para confirmar que es usted.'
  if (left === 0) return `${begin} Ya no queda ninguno. Puede crear códigos nuevos en Acceso y dispositivos.`
  if (left === 1) return `${begin} Queda 1. Puede crear códigos nuevos en Acceso y dispositivos.`
  return `${begin} Quedan ${left}. Puede crear códigos nuevos en Acceso y dispositivos.`
}

export const es: AccountMailWords = {
  resetSubject: (brand) => `Restablezca su contraseña de ${brand}`,
  resetText: (brand) => `Recibimos una solicitud para restablecer la contraseña de su cuenta de ${brand}.`,
  resetAction: 'Elegir una contraseña nueva',
  resetExpires: (minutes) =>
    `El enlace funciona una sola vez y vence ${minutes} minutos después del envío de este correo.`,
  resetNotYou: 'Si usted no lo solicitó, puede ignorar este correo. Su contraseña no ha cambiado.',

  changedSubject: (brand) => `Se cambió su contraseña de ${brand}`,
  changedText: (brand) =>
    `Se cambió la contraseña de su cuenta de ${brand} y se cerró la sesión en todos los dispositivos.`,
  changedNotYou: 'Si usted no la cambió, restablezca su contraseña ahora y avise a su administrador.',
  changedAction: 'Restablecer contraseña',

  confirmSubject: (brand) => `Confirme su inicio de sesión en ${brand}`,
  confirmText: (provider, email, brand) =>
    `Alguien inició sesión con ${provider} como ${email} y quiere abrir con eso su cuenta de ${brand}.`,
  confirmIfYou: 'Si fue usted, confírmelo en el mismo navegador.',
  confirmAction: 'Confirmar inicio de sesión',
  confirmExpires: (minutes) =>
    `El enlace funciona una sola vez y vence ${minutes} minutos después del envío de este correo.`,
  confirmNotYou: 'Si no fue usted, no abra el enlace y avise a su administrador. Nada ha cambiado.',
  linkedSubject: (brand) => `Una nueva forma de iniciar sesión en ${brand}`,
  linkedText: (provider, brand) => `Desde ahora, iniciar sesión con ${provider} abre su cuenta de ${brand}.`,
  linkedNotYou: 'Si no fue usted, avise de inmediato a su administrador.',

  factorAddedSubject: (brand) => `Se agregó un segundo factor a su cuenta de ${brand}`,
  factorAddedText: added,
  factorRemovedSubject: (brand) => `Se quitó un segundo factor de su cuenta de ${brand}`,
  factorRemovedText: removed,
  codesSubject: (brand) => `Códigos de recuperación nuevos para su cuenta de ${brand}`,
  codesText: (brand) =>
    `Se crearon códigos de recuperación nuevos para su cuenta de ${brand}. Los anteriores ya no funcionan.`,
  codeUsedSubject: (brand) => `Se usó un código de recuperación de su cuenta de ${brand}`,
  codeUsedText: codeUsed,
  factorsResetSubject: (brand) => `Se restableció el segundo factor de su cuenta de ${brand}`,
  factorsResetText: (by, brand) =>
    `${by} quitó las llaves de acceso, la aplicación de autenticación y los códigos de recuperación de su cuenta de ${brand}. Se cerró la sesión en todos sus dispositivos. Inicie sesión con su contraseña y configure de nuevo un segundo factor.`,
  factorsResetNotYou: 'Si usted no lo pidió, avise a su administrador.',
  factorNotYou: 'Si no fue usted, cambie su contraseña ahora y avise a su administrador.',

  invitationSubject: (brand) => `Su cuenta de ${brand}`,
  invitationText: (by, brand) => `${by} creó una cuenta de ${brand} para usted.`,
  invitationAction: 'Elegir su contraseña',
  invitationSignIn: 'Iniciar sesión',
  invitationProviderOnly: (provider) => `Inicie sesión con ${provider} y esta dirección de correo.`,
  invitationProviderToo: (provider) => `O inicie sesión con ${provider} y esta dirección de correo`,
  invitationExpires: (days) =>
    `El enlace funciona una sola vez y vence en ${days} días. Después, pida uno nuevo con “¿Olvidó su contraseña?” en la página de inicio de sesión.`,
}
