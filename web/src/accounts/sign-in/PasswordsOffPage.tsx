import { LOGIN_PATH } from '@roadshow/contract/platform/constants'
import { providerName } from './ways-in.ts'
import { words } from './words/index.ts'

/** Stands where a password would be asked for, while the identity provider is the only way in. */
export const PasswordsOffPage = () => (
  <>
    <h1>{words.passwordsOff}</h1>
    <p className="lead">{words.passwordsOffText(providerName())}</p>
    <a className="primary" href={LOGIN_PATH}>
      {words.goToSignIn}
    </a>
  </>
)
