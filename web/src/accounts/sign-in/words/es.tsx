import type { SignInWords } from './en.tsx'

export const es: SignInWords = {
  signIn: 'Iniciar sesión',
  signingIn: 'Iniciando sesión…',
  or: 'o',
  email: 'Correo electrónico',
  password: 'Contraseña',
  showPassword: 'Mostrar contraseña',
  hidePassword: 'Ocultar contraseña',
  show: 'Mostrar',
  hide: 'Ocultar',
  required: 'Obligatorio.',
  passkeySignIn: 'Iniciar sesión con una llave de acceso',
  forgotPassword: '¿Olvidó su contraseña?',
  waitingForPasskey: 'Esperando su llave de acceso…',
  signInWith: (name) => `Iniciar sesión con ${name}`,
  signingYouIn: 'Iniciando su sesión…',
  takesAMoment: 'Tardará un momento.',
  oneMoreStep: 'Un paso más',
  passkeyNow: 'Usar su llave de acceso',
  code: 'Código de 6 dígitos',
  codeHint: 'Abra su aplicación de autenticación y escriba el código que muestra.',
  checking: 'Comprobando…',
  noPasskeyHere: 'Este navegador no puede usar su llave de acceso.',
  backToFactor: 'Volver a su segundo factor',
  recoveryCodeInstead: 'Usar un código de recuperación',
  recoveryCode: 'Código de recuperación',
  recoveryCodeHint: 'Cada código funciona una vez.',
  noCodeLeft: '¿No le queda ningún código? Pida a un administrador que restablezca su segundo factor.',
  someoneElse: 'Iniciar sesión con otra cuenta',
  forgotTitle: '¿Olvidó su contraseña?',
  forgotText: 'Escriba su correo electrónico y le enviaremos un enlace para elegir una contraseña nueva.',
  sendLink: 'Enviar el enlace',
  sending: 'Enviando…',
  backToSignIn: 'Volver al inicio de sesión',
  checkEmail: 'Revise su correo',
  mailed: (email) => (
    <>Si existe una cuenta para {email}, un correo con un enlace va en camino. El enlace funciona 30 minutos.</>
  ),
  forAccount: (email) => <>Para la cuenta {email}.</>,
  passwordSet: 'Su contraseña está lista',
  passwordSetText: 'Se cerraron todas las sesiones anteriores. Inicie sesión con la contraseña nueva.',
  choosePassword: 'Elija su contraseña',
  chooseNewPassword: 'Elija una contraseña nueva',
  checkingLink: 'Comprobando su enlace…',
  setPassword: 'Guardar contraseña',
  setting: 'Guardando…',
  newPassword: 'Contraseña nueva',
  passwordLength: (count) => `Al menos ${count} caracteres.`,
  passwordLengthAgain: (count) => `Al menos ${count} caracteres. Se cerrará su sesión en todos los dispositivos.`,
  newLink: 'Pedir un enlace nuevo',
  isYours: '¿Es esta su cuenta?',
  isYoursText: ({ provider, brand, email, name }) => (
    <>
      Inició sesión con {provider} como {email}. La cuenta de {brand} de {name} tiene la misma dirección. Confirme que
      es suya, y desde ahora entrará a ella con {provider}.
    </>
  ),
  linkAccount: 'Vincular e iniciar sesión',
  linking: 'Vinculando…',
  notMine: 'No es mi cuenta',
  passwordOf: (brand) => `Su contraseña de ${brand}`,
  mailMe: 'Enviarme un enlace por correo',
  mailMeInstead: 'Mejor enviarme un enlace por correo',
  linkMailed: (email) => <>Un enlace va en camino a {email}. Ábralo en este navegador antes de 30 minutos.</>,
  passkeyNameHere: () => 'Mi dispositivo',
  passwordsOff: 'No hace falta contraseña',
  passwordsOffText: (provider) => `Aquí no se usan contraseñas. Inicie sesión con ${provider}.`,
  goToSignIn: 'Ir al inicio de sesión',
  noAccess: 'Todavía sin acceso',
  noAccessText: 'Su cuenta todavía no tiene acceso a ninguna pantalla. Pida ayuda a un administrador.',
  signOut: 'Cerrar sesión',
  signingOut: 'Cerrando sesión…',
  tryAgain: 'Intentar de nuevo',
  broken: 'Algo salió mal',
  brokenText: 'El error ya se reportó. Cargar la página de nuevo suele ayudar.',
  loadAgain: 'Cargar de nuevo',
  protect: 'Proteja su cuenta',
  protectText: 'Su cuenta necesita un segundo factor. Configúrelo ahora; tarda un minuto.',
  passkey: 'Llave de acceso',
  passkeyText: 'Su huella, su cara, el bloqueo de pantalla o una llave de seguridad.',
  codeApp: 'Aplicación de autenticación',
  codeAppText: 'Un código de 6 dígitos de una aplicación de su teléfono.',
  otherWay: 'Elegir otra forma',
  addPasskeyTitle: 'Agregar una llave de acceso',
  addPasskeyText: 'Su navegador le pide su huella, su cara, el bloqueo de pantalla o una llave de seguridad.',
  addPasskey: 'Agregar llave de acceso',
  passkeyName: 'Nombre de la llave',
  passkeyNameHint: 'Para que la reconozca después.',
  addCodeApp: 'Agregar una aplicación de autenticación',
  scanText:
    'Escanee este código con su aplicación o escriba la clave. Después escriba el código que muestra la aplicación.',
  qrCode: 'Código QR con la clave de abajo',
  openInApp: 'Abrir en una aplicación de este dispositivo',
  confirm: 'Confirmar',
  confirmYou: 'Confirme que es usted',
  confirmYouText: 'Inició sesión hace un rato. Escriba su contraseña de nuevo.',
  continue: 'Continuar',
  keepCodes: 'Guarde sus códigos de recuperación',
  keepCodesText:
    'Si pierde su segundo factor, cada uno de estos códigos le permite entrar una vez. Guárdelos en un lugar seguro: no se muestran de nuevo.',
  copied: 'Copiado',
  copyCodes: 'Copiar los códigos',
  codesKept: 'Ya los guardé',
}

/** Whatever time the server names. */
export const tooManyAttempts = 'Demasiados intentos. Espere un momento e intente de nuevo.'

/** What the server and the browser say in English, by the sentence itself. */
export const spanishSentences: Partial<Record<string, string>> = {
  'Wrong email or password.': 'Correo o contraseña incorrectos.',
  'This code is wrong or was already used. Please try the next one.':
    'Este código es incorrecto o ya se usó. Escriba el siguiente.',
  'This recovery code is wrong or was already used.': 'Este código de recuperación es incorrecto o ya se usó.',
  "This passkey can't be used here. Please try again or sign in another way.":
    'Esta llave de acceso no se puede usar aquí. Intente de nuevo o inicie sesión de otra forma.',
  'Your sign-in took too long. Please enter your password again.': 'Tardó demasiado. Escriba su contraseña de nuevo.',
  'Passwords are not used here. Please sign in with your company account.':
    'Aquí no se usan contraseñas. Inicie sesión con la cuenta de su empresa.',
  "That's not right. Please try again.": 'Es incorrecto. Intente de nuevo.',
  'The setup took too long. Please start again.': 'Tardó demasiado. Empiece de nuevo.',
  'Something went wrong': 'Algo salió mal',
  'We can’t reach the server. Check your connection and try again.':
    'No podemos conectar con el servidor. Revise su conexión e intente de nuevo.',
  'Not a valid email address.': 'No es un correo electrónico válido.',
  'At least 10 characters.': 'Al menos 10 caracteres.',
  'At most 200 characters.': 'Como máximo 200 caracteres.',
  'Must be the 6 digits that your authenticator app shows.':
    'Deben ser los 6 dígitos que muestra su aplicación de autenticación.',
  'Wrong code. Check that the clock of your phone is right, and enter the code it shows now.':
    'Código incorrecto. Revise que el reloj de su teléfono esté bien y escriba el código que muestra ahora.',
  'This is your current password. Please choose a different one.': 'Esta es su contraseña actual. Elija otra.',
  'This password could not be checked. Please choose a different one.':
    'No se pudo comprobar esta contraseña. Elija otra.',
  'Too easy to guess. Use three or four unrelated words, or let a password manager choose one.':
    'Demasiado fácil de adivinar. Use tres o cuatro palabras sin relación, o deje que un administrador de contraseñas elija una.',
  'This link was used already. Sign in with the password you chose, or request a new link.':
    'Este enlace ya se usó. Inicie sesión con la contraseña que eligió o pida un enlace nuevo.',
  'This link has expired. Enter your email address to get a new one.':
    'Este enlace venció. Escriba su correo electrónico para recibir uno nuevo.',
  'This link no longer works. Use the one in your newest email, or request a new link.':
    'Este enlace ya no funciona. Use el del correo más reciente o pida un enlace nuevo.',
  'This device already has a passkey for your account.':
    'Este dispositivo ya tiene una llave de acceso para su cuenta.',
  'No passkey was used. Please try again.': 'No se usó ninguna llave de acceso. Intente de nuevo.',
  'This browser can’t use a passkey here. Please choose another way.':
    'Este navegador no puede usar aquí una llave de acceso. Elija otra forma.',
  'Your password was changed. Please sign in with the new one.': 'Se cambió su contraseña. Inicie sesión con la nueva.',
  'You were signed out by an administrator or from another device. Please sign in again.':
    'Un administrador u otro dispositivo cerró su sesión. Inicie sesión de nuevo.',
  'Your account was deleted. Please contact an administrator.': 'Su cuenta fue eliminada. Hable con un administrador.',
  'Your role was changed. Please sign in again.': 'Se cambió su rol. Inicie sesión de nuevo.',
  'Your email address was changed. Please sign in with the new one.':
    'Se cambió su correo electrónico. Inicie sesión con el nuevo.',
  'Your second factor was reset. Please sign in again.': 'Se restableció su segundo factor. Inicie sesión de nuevo.',
  'You were signed out because your session expired. Please sign in again.':
    'Su sesión venció. Inicie sesión de nuevo.',
  'The sign-in did not go through. Please start again.': 'El inicio de sesión no se completó. Empiece de nuevo.',
  'This sign-in has expired, was already used, or began in another browser. Please start again.':
    'Este inicio de sesión venció, ya se usó o empezó en otro navegador. Empiece de nuevo.',
  'The sign-in was canceled. Nothing has changed.': 'El inicio de sesión se canceló. Nada ha cambiado.',
  'There is no account for you here yet. Ask an administrator to invite you.':
    'Aquí todavía no hay una cuenta para usted. Pida a un administrador que le invite.',
  "Your company sign-in doesn't confirm your email address, so we can't find your account. Ask an administrator.":
    'El acceso de su empresa no confirma su correo electrónico, así que no encontramos su cuenta. Pida ayuda a un administrador.',
  'Your company sign-in no longer gives you access here. Ask an administrator.':
    'El acceso de su empresa ya no le permite entrar aquí. Pida ayuda a un administrador.',
  'Your account was deleted. Ask an administrator to restore it.':
    'Su cuenta fue eliminada. Pida a un administrador que la restaure.',
  'You were signed out of single sign-on. Please sign in again.':
    'Se cerró su sesión en la cuenta de su empresa. Inicie sesión de nuevo.',
}
