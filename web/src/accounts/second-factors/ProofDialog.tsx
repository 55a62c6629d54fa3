import type { FactorList } from '@roadshow/contract/accounts/second-factors'
import { Button, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { proofField } from '../../api/factor-rules.ts'
import type { ProofField } from '../../api/factor-rules.ts'
import { canUsePasskeys } from '../../api/passkey.ts'
import type { FactorProof, SecondFactorChanges } from '../../api/useSecondFactors.ts'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import styles from './SecondFactors.module.css'

const labels: Record<ProofField, string> = {
  password: 'Password',
  code: '6-digit code of your authenticator app',
  recoveryCode: 'Recovery code',
}

interface Props {
  factors: FactorList
  changes: Pick<SecondFactorChanges, 'prove' | 'proveByPasskey' | 'close'>
}

/** Asks users to prove who they are before they change how they sign in. */
export function ProofDialog({ factors, changes: { prove, proveByPasskey, close } }: Props) {
  const [recovers, setRecovers] = useState(false)
  const field = proofField(factors, recovers)
  const edit = useRecordForm({
    base: undefined,
    toInput: (): FactorProof => ({}),
    save: prove,
    onSaved: () => undefined,
  })
  return (
    <Modal open title="Confirm that it’s you" footer={null} onCancel={close} width={416} centered destroyOnHidden>
      <p>This protects how you sign in. It is asked for once every ten minutes.</p>
      <EditForm edit={edit} asks="never">
        {factors.passkeys.length > 0 && canUsePasskeys() && !recovers && (
          <Button
            type="primary"
            block
            loading={edit.isBusy}
            onClick={() => void edit.submit(proveByPasskey)}
            className={styles.wide ?? ''}
          >
            Use your passkey
          </Button>
        )}
        {field && (
          <>
            <Form.Item
              key={field}
              name={field}
              label={labels[field]}
              rules={[{ required: true, message: 'Required.' }]}
            >
              {field === 'password' ? (
                <Input.Password autoComplete="current-password" />
              ) : (
                <Input inputMode={field === 'code' ? 'numeric' : 'text'} autoComplete="one-time-code" maxLength={40} />
              )}
            </Form.Item>
            <Button type="primary" htmlType="submit" block loading={edit.isBusy}>
              Continue
            </Button>
          </>
        )}
      </EditForm>
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
