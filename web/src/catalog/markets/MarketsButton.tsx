import { markets } from '@roadshow/contract/catalog/markets'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useMay } from '../../api/user.ts'
import { useSearchParam } from '../../ui/useSearchParam.ts'

const MarketsDrawer = lazy(() => import('./MarketsDrawer.tsx'))

/** Opens the markets beside the screen that needs them; they have no screen of their own. */
export function MarketsButton() {
  const [open, show] = useSearchParam('markets')
  const mayLook = useMay(markets.list)
  if (!mayLook) return null
  return (
    <>
      <Button onClick={() => show('list')}>Markets</Button>
      {open !== undefined && (
        <Suspense>
          <MarketsDrawer open={open} show={show} />
        </Suspense>
      )}
    </>
  )
}
