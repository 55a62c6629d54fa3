import { formatDays } from '@roadshow/contract/platform/dates'
import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { Button, Drawer } from 'antd'
import { SkeletonLines } from '../../ui/states.tsx'
import { useSearchParam } from '../../ui/useSearchParam.ts'
import type { PayPage } from './payColumns.tsx'
import type { PayDays } from './usePayDays.ts'
import { lazyPart } from '../../ui/lazyPart.tsx'

const PayFiles = lazyPart(() => import('./PayFiles.tsx'), { waiting: () => <SkeletonLines /> })

/** The way to the files of a period. */
export function PayFilesButton({ days, page }: { days: PayDays; page: PayPage }) {
  const [open, show] = useSearchParam('files')
  return (
    <>
      <Button onClick={() => show('open')}>Files</Button>
      <Drawer
        open={open !== undefined}
        onClose={() => show(undefined)}
        size={DRAWER_WIDTH}
        title={`Files for ${formatDays(days.from, days.to)}`}
        destroyOnHidden
      >
        <PayFiles days={days} page={page} />
      </Drawer>
    </>
  )
}
