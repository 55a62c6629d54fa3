import { credentials } from '@roadshow/contract/accounts/credentials'
import type { Credential } from '@roadshow/contract/accounts/credentials'
import { auth } from '@roadshow/contract/accounts/sign-in'
import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { Drawer } from 'antd'
import { useCall } from '../../api/useCall.ts'
import { useSave } from '../../api/useSave.ts'
import { SecondFactors } from '../second-factors/SecondFactors.tsx'
import { CredentialList } from './CredentialList.tsx'

const words = {
  button: 'Sign out everywhere else',
  question: 'Sign out everywhere else?',
  text: 'Every other browser goes back to the sign-in page at once and shows no more notifications. This one stays signed in.',
  done: 'You are signed out everywhere else.',
}

/** Factors have a section of their own, where they are added and removed. */
const isNoFactor = ({ kind }: Credential) => !['passkey', 'codeApp', 'recoveryCodes'].includes(kind)

/** The user's own sessions, links, keys and factors: the session of a lost phone is ended here. */
export default function MyCredentials({ onClose }: { onClose: () => void }) {
  const found = useCall(credentials.own, {}, { refetchOnMount: 'always' })
  const earlier = useCall(auth.sessions, {}, { refetchOnMount: 'always' })
  const one = useSave(credentials.endOwn)
  const others = useSave(auth.endOtherSessions)
  const ways = {
    endOne: ({ kind, uid }: Credential) => one.mutateAsync({ params: { kind, uid } }),
    endAll: () => others.mutateAsync({}),
    endsWithAll: ({ kind, isThisOne }: Credential) => (kind === 'session' || kind === 'push') && !isThisOne,
    words,
  }
  return (
    <Drawer open onClose={onClose} size={DRAWER_WIDTH} title="Sign-in & access">
      <SecondFactors />
      <CredentialList found={found} isListed={isNoFactor} earlier={earlier} ways={ways} empty="" />
    </Drawer>
  )
}
