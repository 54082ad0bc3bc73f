const word = (html: string): string =>
  `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p {margin:0} --></style></head><body><!--StartFragment-->${html}<!--EndFragment--></body></html>`;

/** Bodies as sent, and as candidates read them. */
export const sentBodies: readonly (readonly [sent: string, ...lines: string[]])[] = [
  // Text.
  ['Procuramos soldador.\n\nRequisitos:\n- Carta B\n- Inglês', 'Procuramos soldador.', 'Requisitos:', '- Carta B', '- Inglês'],
  ['Um\r\nDois\rTrês\fQuatro\vCinco\u2028Seis\u2029Sete\u0085Oito', 'Um', 'Dois', 'Três', 'Quatro', 'Cinco', 'Seis', 'Sete', 'Oito'],
  ['\n \nUm\n\u00a0\n&nbsp;\n\t\nDois  \n', 'Um', 'Dois'],
  ['Condi&ccedil;&otilde;es:\n1200 &euro; & prémios', 'Condições:', '1200 € & prémios'],
  ['Uma linha com & e "aspas"', 'Uma linha com & e "aspas"'],
  ['Um&#10;Dois', 'Um', 'Dois'],
  ['Em https://x.pt/?id=12&region=norte&section=3\nou <https://x.pt/?a=1&currency=eur>', 'Em https://x.pt/?id=12&region=norte&section=3', 'ou <https://x.pt/?a=1&currency=eur>'],
  ['<p>Em https://x.pt/?a=1&copy=2&amp;reg=3 &copy; 2026</p>', 'Em https://x.pt/?a=1&copy=2&reg=3 © 2026'],
  // Tags that are words.
  ['Vue: <template> e <script setup>.\nSalário: 2000 €', 'Vue: <template> e <script setup>.', 'Salário: 2000 €'],
  ['<p>SEO: o <title> e o <meta description>.</p><p>CV para rh@x.pt</p>', 'SEO: o <title> e o <meta description>.', 'CV para rh@x.pt'],
  [`<p>${'İ'.repeat(9)}<title>um</p></TITLE>`, 'İ'.repeat(9)],
  ['<p>um<STYLE>não</Style>dois <style> três</p>', 'umdois <style> três'],
  ['Sabe <canvas>, <SVG>, <Video>.\nSalário: 2000 €', 'Sabe <canvas>, <SVG>, <Video>.', 'Salário: 2000 €'],
  ['<p>Formulários: <input>, <textarea> e <x-menu>.</p><p>Fim</p>', 'Formulários: <input>, <textarea> e <x-menu>.', 'Fim'],
  ['Olá <primeiro-nome>,\n#include <map>, Box<A>, <Line Manager>, <skype:rh-x>', 'Olá <primeiro-nome>,', '#include <map>, Box<A>, <Line Manager>, <skype:rh-x>'],
  ['<p>um <title> e <video controls></p></title-x>dois<svg height=9/>', 'um <title> e <video controls>', 'dois'],
  // Angle brackets.
  ['Idade <trinta anos. Oferecemos 1200 euros. Envie CV.', 'Idade <trinta anos. Oferecemos 1200 euros. Envie CV.'],
  ['Perfil: Java, List<String>, Map<K,V>.', 'Perfil: Java, List<String>, Map<K,V>.'],
  ['Perfil:\nList<String>', 'Perfil:', 'List<String>'],
  ['<p>Envie CV: RH <rh@example.com>, <joao-silva@example-site.pt></p>', 'Envie CV: RH <rh@example.com>, <joao-silva@example-site.pt>'],
  ['<p>Ver <https://example.com/vaga?a=1&b=2> ou <HTTP://x.pt></p>', 'Ver <https://example.com/vaga?a=1&b=2> ou <HTTP://x.pt>'],
  ['Ligue <tel:+351210000000>, <tel:210000000>, <mailto:rh@x.pt>', 'Ligue <tel:+351210000000>, <tel:210000000>, <mailto:rh@x.pt>'],
  ['Gostamos de si <3 <-> </3 <= < b', 'Gostamos de si <3 <-> </3 <= < b'],
  ['<b>Se</b> a<b e b>c', 'Se ac'],
  ['<p>Se a<5 e b,c>0; M&A<foo>, <></p>', 'Se a<5 e b,c>0; M&A<foo>, <>'],
  ['Atenção <! urgente. Envie <', 'Atenção <! urgente. Envie <'],
  ['<!importante> e <?talvez e </ fim>', '<!importante> e <?talvez e </ fim>'],
  ['<p>Um</p><p>Dois <b', 'Um', 'Dois <b'],
  ['<p title="x>Um <b>dois</b>', '<p title="x>Um dois'],
  ['<p>Um</p><!-- dois <b>três</b>', 'Um', '<!-- dois três'],
  ['Um <a href="https://x.pt>dois</a>\n três', 'Um <a href="https://x.pt>dois três'],
  [`${'<!-- '.repeat(8)}<b>um</b>`, `${'<!-- '.repeat(8)}um`],
  [`${'<!-- '.repeat(9)}<b>um</b>`, `${'<!-- '.repeat(9)}<b>um</b>`],
  // Tags.
  ['<P>Um<BR/>dois</P><STRONG>três</STRONG>', 'Um', 'dois', 'três'],
  ['<p>Um<o:p></o:p></p><my-el>dois</my-el> <st1:City w:st="on">Porto</st1:City>', 'Um', 'dois Porto'],
  [word('<p><![if !supportLists]>·<![endif]>Carta B<o:p>&nbsp;</o:p></p><!--[if gte mso 9]><xml></xml><![endif]-->'), '·Carta B'],
  ['<?xml:namespace prefix = o ns = "x" /><p>Um</p><!DOCTYPE html>', 'Um'],
  ['<!--StartFragment-->Um\nDois<!--EndFragment-->', 'Um', 'Dois'],
  ['<span>Um\ndois</span>', 'Um dois'],
  ['<x-y>&lt;p&gt;Um&lt;/p&gt;</x-y>', '<p>Um</p>'],
  ['<p>Use &lt;p&gt;um&lt;/p&gt; e &lt;br&gt;&lt;br&gt;</p>', 'Use <p>um</p> e <br><br>'],
  ['Sabe &lt;html&gt; e &lt;css&gt;, um &lt;br&gt;', 'Sabe <html> e <css>, um <br>'],
  ['&lt;html&gt; e &lt;css&gt;', '<html> e <css>'],
  ['<img src=x>&lt;p&gt;Um&lt;/p&gt;', '<p>Um</p>'],
  ['<p>Um <b id=1 id=2>dois</b> três</p>', 'Um dois três'],
  ['um</br>dois</p>três', 'um', 'dois', 'três'],
  ['um<b style="font-weight:normal">dois</b>três', 'umdoistrês'],
  ['um<template><div></div></template>dois', 'umdois'],
  ['<p>De <del>1000 €</del> <strike>1100 €</strike> <ins>1200 €</ins></p>', 'De 1000 € 1100 € 1200 €'],
  ['<table><tfoot><tr><td>fim<ul><li>a<ul><li>b</ul></ul></tfoot><tr><td>um</table>', 'um', 'fim', 'a', 'b'],
  // Not shown.
  ['<p>Um</p><div hidden>não</div><p style="color:red; DISPLAY : none !important">não</p>dois', 'Um', 'dois'],
  ['<ul><li>um<li hidden>não<li>dois</ul><table><tr><td>um<td hidden>não<td>dois<tr hidden><td>não<tr><td>três</table>', 'um', 'dois', 'um', 'dois', 'três'],
  ['<p hidden>não<p>um<dl><dd hidden>não<dd>dois</dl><h2 hidden>não</h2><b hidden>não<p>não</p></b>três', 'um', 'dois', 'três'],
  ['<span style="display:none">não</span><p style="display:none;display:block">um</p><img hidden>dois<br hidden>três', 'um', 'dois', 'três'],
  ['<p hidden style="display:block">um</p><p style="--display:none">dois</p>', 'um', 'dois'],
  ['<p style="display:x none">um</p><video/>não</video>dois<svg/>três', 'um', 'doistrês'],
  ['<svg><svg>não</svg>não</svg>um<svg><svg/>não</svg>dois<svg><g>não<p>três</p></svg>', 'umdois', 'três'],
  ['<svg><desc>não</desc>não</svg>um<math><mi>não</mi>não</math>dois', 'umdois'],
  ['<desc>um</desc> <ms>dois</ms><mi>três</mi>', 'um doistrês'],
  [`<p style='font-family:"a;display:none"'>um</p><p style="background:url(;display:none;)">dois</p>`, 'um', 'dois'],
  // Lines that the style makes.
  ['<div style="white-space:pre-line">Um:\n- dois\n\nTrês</div>', 'Um:', '- dois', 'Três'],
  ['<div><span style="color:red; WHITE-SPACE : pre-wrap">Um\ndois\n</span>três\n<span>quatro</span></div>', 'Um', 'dois', 'três quatro'],
  ['<span style="white-space-collapse:preserve">um\n<span>dois</span>\n<i style="white-space:normal">três\nquatro</i></span>\ncinco', 'um', 'dois', 'três quatro cinco'],
  ['<div style="white-space:pre">\n<p>um</p>\n<pre>\ndois\n\ntrês</pre>\n<table>\n<tr>\n<td>quatro\ncinco</table></div>', 'um', 'dois', 'três', 'quatro', 'cinco'],
  ['<div><span style="display:block">um</span><x-y style="display: list-item">dois</x-y></div>', 'um', 'dois'],
  ['um<span style="display:block"></span>dois<a href="tel:1" style="display:table">três</a><b style="display:flow-root">quatro</b>cinco', 'um', 'dois', 'três', 'quatro', 'cinco'],
  ['<div style="display:flex"><span>um</span><b>dois</b><span><span>três</span><span>quatro</span></span></div>', 'um', 'dois', 'trêsquatro'],
  ['<div><span style="white-space:pre">um</span><span style="white-space:pre"> dois</span></div>três', 'um dois', 'três'],
]; // biome-ignore format: a table

/** Links, and the parts of attributes that are kept. */
export const sentAttributes: readonly (readonly [sent: string, stored: string])[] = [
  ['<a href=" https://example.com/vaga\n">x</a>', '<a href="https://example.com/vaga">x</a>'],
  ['<a href="http://example.com/vaga">x</a>', '<a href="http://example.com/vaga">x</a>'],
  ['<a href="HTTP://x.pt/a<b">x</a>', '<a href="HTTP://x.pt/a&lt;b">x</a>'],
  ['<a href="/vaga">x</a><a href="www.x.pt">y</a>', 'xy'],
  ['<a href="http://x.pt/"><template><a href="http://y.pt/"></template>x</a>y', '<a href="http://x.pt/">x</a>y'],
  ['<a href="http://x.pt/"><svg><desc><a href="http://y.pt/"></desc></svg>x</a>y', '<a href="http://x.pt/">x</a>y'],
  ['<p><b>x</p><template><i></template>y</b>', '<p><b>x</b></p><b>y</b>'],
  ['<ol start="2"><li>x</ol>', '<ol start="2"><li>x</li></ol>'],
  ['<ol start=9999><li>x</ol><ol start=10000><li>x</ol>', '<ol start="9999"><li>x</li></ol><ol><li>x</li></ol>'],
  ['<strong style="font-weight: 400">x</strong><i style="font-weight:normal">y</i>', 'x<i>y</i>'],
  [
    `<b style='mso-bidi-font-weight:normal'>x</b><b style="font-weight:bold;mso-x:'font-weight:400'">y</b>`,
    '<b>x</b><b>y</b>',
  ],
  ['<ol start=" -1 "><li>x</ol><ol start="a"><li>x</ol>', '<ol start="-1"><li>x</li></ol><ol><li>x</li></ol>'],
  ['<ol start="123456"><li>x</ol><ul start="2"><li>x</ul>', '<ol><li>x</li></ol><ul><li>x</li></ul>'],
  [
    '<table><tr><th rowspan=3 colspan="2" scope=col>x<td colspan=1><td colspan=1000 rowspan="-1">x</table>',
    '<table><tbody><tr><th colspan="2" rowspan="3">x</th><td></td><td>x</td></tr></tbody></table>',
  ],
];

/** HTML whose tags are all escaped. */
export const escapedBodies: readonly string[] = [
  '&lt;p&gt;Procuramos soldador.&lt;/p&gt;',
  '&lt;div class=&quot;content-intro&quot;&gt;&lt;p&gt;Quem somos &amp;amp; o que fazemos&lt;/p&gt;&lt;/div&gt;\n',
  'Procuramos soldador.&lt;br&gt;&lt;br /&gt;Carta B',
  'Requisitos: &LT;UL&GT;&LT;LI&GT;Carta B&LT;/LI&GT;&LT;/UL&GT;',
  '&#60;h2&#62;Perfil&#x3c;/h2>\nJava',
];
