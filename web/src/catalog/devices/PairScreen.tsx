import { screenPairings } from '@roadshow/contract/catalog/devices'
import { Button, Form, Input } from 'antd'
import { useSave } from '../../api/useSave.ts'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import { ThingsInTheWay } from '../../ui/record/ThingsInTheWay.tsx'
import { useSearchParam } from '../../ui/useSearchParam.ts'
import styles from './devices.module.css'

/** Pairs a screen by the code that it shows. A link from the screen brings the code along: `?pair=ACDEFGHJ`. */
export function PairScreen({ truckUid }: { truckUid: string }) {
  const [brought, setBrought] = useSearchParam('pair')
  const claim = useSave(screenPairings.claim)
  const notice = useNotice()
  const edit = useRecordForm({
    base: brought ?? '',
    toInput: (code) => ({ code }),
    save: ({ code }) => claim.mutateAsync({ body: { truckUid, code } }),
    goOnFrom: () => '',
    onSaved() {
      notice('The screen is being paired. It starts within a few seconds.')
      if (brought) setBrought(undefined)
    },
  })
  return (
    <EditForm edit={edit} asks="never" name="pair-screen" className={`${styles.add} ${styles.pair}`}>
      <Form.Item
        name="code"
        label="Code on the screen"
        rules={[{ required: true, message: 'Type the code that the screen shows.' }]}
      >
        <Input placeholder="ACDE-FGHJ" maxLength={40} spellCheck={false} autoComplete="off" />
      </Form.Item>
      <Button htmlType="submit" loading={edit.isBusy}>
        Pair a screen
      </Button>
      {edit.refused?.inTheWay && <ThingsInTheWay things={edit.refused.inTheWay} onDone={() => void edit.submit()} />}
    </EditForm>
  )
}
