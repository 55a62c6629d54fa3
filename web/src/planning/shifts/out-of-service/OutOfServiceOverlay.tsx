import { outOfServices } from '@roadshow/contract/planning/out-of-service'
import { useMay } from '../../../api/user.ts'
import { lazyOverlay } from '../../../ui/lazyPart.tsx'
import { useOutOfServiceParam } from './useOutOfServiceParam.ts'

const OutOfServiceDialog = lazyOverlay(() => import('./OutOfServiceDialog.tsx'))

/** The dialog that the address asks for, for those who plan. */
export function OutOfServiceOverlay() {
  const [asked, ask] = useOutOfServiceParam()
  const mayPlan = useMay(outOfServices.create)
  return (
    asked !== undefined &&
    mayPlan && (
      <OutOfServiceDialog
        key={`${asked.over} ${asked.of ?? ''} ${asked.uid ?? ''}`}
        asked={asked}
        onClose={() => ask(undefined)}
      />
    )
  )
}
