import { pops } from '@roadshow/contract/proof/pop'
import { Button } from 'antd'
import { errorMessage } from '../../../api/call.ts'
import { useSave } from '../../../api/useSave.ts'
import { useNotice } from '../../../ui/notices.tsx'
import type { InTheWayProps } from '../../../ui/record/ThingsInTheWay.tsx'

/** Withdraws the public page that refuses something; undone, it is shown again. */
export function PageInTheWay({ thing: { act }, onDone }: InTheWayProps) {
  const save = useSave(pops.withdraw)
  const notice = useNotice()
  const show = async (page: { uid: string; version: number }, isShown: boolean) => {
    try {
      const { data } = await save.mutateAsync({ body: { uid: page.uid, version: page.version, isShown } })
      if (isShown) return notice('Page published again.')
      notice('Page withdrawn.', 'done', [{ label: 'Undo', onAct: () => void show(data, true) }])
      onDone()
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
  }
  if (act?.kind !== 'withdraw') return null
  return (
    <Button size="small" loading={save.isPending} onClick={() => void show(act, false)}>
      Withdraw
    </Button>
  )
}
