import { secondFactors } from '@roadshow/contract/accounts/second-factors'
import type { FactorList } from '@roadshow/contract/accounts/second-factors'
import type { InputOf } from '@roadshow/contract/platform/endpoint'
import { Alert, Button, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { askPasskey, canUsePasskeys } from '../../api/passkey.ts'
import { problemText } from './problemText.ts'
import styles from './SecondFactors.module.css'

type Proof = InputOf<typeof secondFactors.prove>['body']
type Field = 'password' | 'code' | 'recoveryCode'

const labels: Record<Field, string> = {
  password: 'Password',
  code: '6-digit code of your authenticator app',
  recoveryCode: 'Recovery code',
}

/** What a user can type as a proof: without a factor only the password is left. */
function fieldFor({ passkeys, codeApp }: FactorList, recovers: boolean): Field | undefined {
  if (!codeApp && passkeys.length === 0) return 'password'
  if (recovers) return 'recoveryCode'
  return codeApp ? 'code' : undefined
}

interface Props {
  factors: FactorList
  onProved: () => void
  onCancel: () => void
}

/** Asks users to prove who they are before they change how they sign in. */
export function ProofDialog({ factors, onProved, onCancel }: Props) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [recovers, setRecovers] = useState(false)
  const field = fieldFor(factors, recovers)

  const prove = async (give: () => Promise<Proof>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await call(secondFactors.prove, { body: await give() })
      onProved()
    } catch (error) {
      setProblem(problemText(error))
    }
    setBusy(false)
  }
  const withPasskey = async () => ({ passkey: await askPasskey((await call(secondFactors.challengeProof, {})).data) })
  return (
    <Modal open title="Confirm that it’s you" footer={null} onCancel={onCancel} width={416} centered destroyOnHidden>
      <p>This protects how you sign in. It is asked for once every ten minutes.</p>
      {problem && <Alert type="error" role="alert" title={problem} className={styles.problem ?? ''} />}
      {factors.passkeys.length > 0 && canUsePasskeys() && !recovers && (
        <Button
          type="primary"
          block
          loading={busy}
          onClick={() => void prove(withPasskey)}
          className={styles.wide ?? ''}
        >
          Use your passkey
        </Button>
      )}
      {field && (
        <Form layout="vertical" onFinish={(values: Record<Field, string>) => void prove(async () => values)}>
          <Form.Item key={field} name={field} label={labels[field]} rules={[{ required: true, message: 'Required.' }]}>
            {field === 'password' ? (
              <Input.Password autoComplete="current-password" />
            ) : (
              <Input inputMode={field === 'code' ? 'numeric' : 'text'} autoComplete="one-time-code" maxLength={40} />
            )}
          </Form.Item>
          <Button type="primary" htmlType="submit" block loading={busy}>
            Continue
          </Button>
        </Form>
      )}
      {factors.recoveryCodesLeft > 0 && (
        <Button type="link" onClick={() => setRecovers(!recovers)}>
          {recovers ? 'Back to your second factor' : 'Use a recovery code instead'}
        </Button>
      )}
      {field === 'password' && !factors.hasPassword && (
        <p>You have no password here. Sign out and sign in again; then you have ten minutes.</p>
      )}
    </Modal>
  )
}
