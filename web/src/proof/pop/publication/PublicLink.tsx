import type { PopRow } from '@roadshow/contract/proof/pop'
import { Button } from 'antd'
import { CopyLink } from '../../../ui/form/CopyLink.tsx'
import { publicPath } from '../usePop.ts'

/** Where the public page is, to copy and to open. */
export const PublicLink = ({ pop }: { pop: Pick<PopRow, 'popUrl'> }) => (
  <CopyLink url={`${location.origin}${publicPath(pop)}`} label="Public link">
    <Button href={publicPath(pop)} target="_blank" rel="noreferrer">
      Open page
    </Button>
  </CopyLink>
)
