import { pixel } from '@roadshow/contract/catalog/pixel-maps'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { pixelColumns } from './pixelColumns.tsx'
import { lazyForm } from '../../ui/record/RecordDrawer.tsx'

const PixelForm = lazyForm(() => import('./PixelForm.tsx'))

export default function PixelPage() {
  return (
    <DataTable
      nouns={['pixel map', 'pixel maps']}
      list={pixel.list}
      columns={pixelColumns}
      create={pixel.create}
      form={PixelForm}
      empty="No pixel maps yet. By its pixel map a truck’s player knows which pixels are which side."
    />
  )
}
