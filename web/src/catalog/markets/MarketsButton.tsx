import { markets } from '@roadshow/contract/catalog/markets'
import { Button } from 'antd'
import { useMay } from '../../api/user.ts'
import { useSearchParam } from '../../ui/useSearchParam.ts'

/** Opens the markets beside the screen that needs them; they have no screen of their own. */
export function MarketsButton() {
  const [, show] = useSearchParam('markets')
  return useMay(markets.list) && <Button onClick={() => show('list')}>Markets</Button>
}
