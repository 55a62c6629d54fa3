import { LOGIN_PATH } from '@roadshow/contract/platform/constants'
import { providerName } from './ways-in.ts'

/** Stands where a password would be asked for, while the identity provider is the only way in. */
export const PasswordsOffPage = () => (
  <>
    <h1>No password needed</h1>
    <p className="lead">Passwords are not used here. Sign in with {providerName()}.</p>
    <a className="primary" href={LOGIN_PATH}>
      Go to sign in
    </a>
  </>
)
