import { expect } from 'chai';
import { opensTooManyTags } from '../../src/html/open-tags.ts';

describe('opensTooManyTags', () => {
  it('counts what is open at once, not what there is', () => {
    expect(opensTooManyTags('<b>x</b>'.repeat(3000))).to.equal(false);
    expect(opensTooManyTags('<b>'.repeat(100))).to.equal(false);
    expect(opensTooManyTags('<b>'.repeat(101))).to.equal(true);
    expect(opensTooManyTags('<b><i>'.repeat(51))).to.equal(true);
  });

  it('leaves out void elements and gives optional end tags a bound of their own', () => {
    expect(opensTooManyTags('<br><hr><img>'.repeat(2000))).to.equal(false);
    expect(opensTooManyTags(`<ul>${'<li>x'.repeat(3000)}</ul>`)).to.equal(false);
    expect(opensTooManyTags('<li>'.repeat(3001))).to.equal(true);
  });

  it('is not deceived by end tags that the parser does not see', () => {
    const disguises = [
      '<!--</b>-->',
      '<i title="</b>">',
      "<i a='</b>'></i>",
      '<![CDATA[></b>]]>',
      '<style></b></style>',
      '<title></b></title>',
    ];
    for (const disguise of [
      ...disguises,
      '<?</b>',
      '<i title=</b>',
      '<textarea><!--</b>--></textarea>',
      '<i =">"</b>">',
    ]) {
      expect(opensTooManyTags(`<b>${disguise}`.repeat(101)), disguise).to.equal(true);
    }
  });

  it('reads names as the parser does: in any case, with a slash, self-closed', () => {
    for (const tag of ['<B>', '<b/>', '<b\n', '<b/x>']) expect(opensTooManyTags(tag.repeat(101)), tag).to.equal(true);
    expect(opensTooManyTags('<B>x</b ></B>'.repeat(200))).to.equal(false);
  });

  it('sums up misnesting by its depth', () => {
    expect(opensTooManyTags('<b>a<i>b</b>c</i>'.repeat(500))).to.equal(false);
    expect(opensTooManyTags(`${'<b>'.repeat(60)}<div>${'</b>'.repeat(60)}</div>`.repeat(2))).to.equal(true);
  });

  it('takes linear time on text that never ends', () => {
    const endless = ['<!--', '<p a="', '<', '</', '<![CDATA[', '<a b=', '<style>', '<p \n\t/', '<!', '<x '];
    for (const unit of endless) opensTooManyTags(unit.repeat(200_000 / unit.length));
  });
});
