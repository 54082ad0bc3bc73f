/** HTML that editors and e-mail programs put on the clipboard or into a message, and its stored form. */
export const pastedBodies: Record<string, { readonly pasted: string; readonly stored: string }> = {
  'Word, headings and paragraphs': {
    pasted: `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">
<head><meta http-equiv=Content-Type content="text/html; charset=utf-8"><meta name=Generator content="Microsoft Word 15">
<!--[if gte mso 9]><xml><o:OfficeDocumentSettings><o:AllowPNG/></o:OfficeDocumentSettings></xml><![endif]-->
<style><!-- p.MsoNormal {margin:0cm; font-size:11.0pt;} --></style></head>
<body lang=PT style='tab-interval:35.4pt'><!--StartFragment--><div class=WordSection1><h1><span lang=PT>Técnico de manutenção<o:p></o:p></span></h1><p class=MsoNormal><b><span lang=PT style='font-size:12.0pt'>Função:</span></b><span lang=PT> manutenção&nbsp;elétrica<o:p></o:p></span></p><p class=MsoNormal><span lang=PT><o:p>&nbsp;</o:p></span></p><h6>Local</h6></div><!--EndFragment--></body></html>`,
    stored:
      '\n\n\n\n<h2>Técnico de manutenção</h2><p><b>Função:</b> manutenção&nbsp;elétrica</p><p>&nbsp;</p><h4>Local</h4>',
  },
  'Word, a list of paragraphs': {
    pasted: `<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol;mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]>Carta B<o:p></o:p></p><p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol;mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]>Inglês<o:p></o:p></p>`,
    stored: '<p>·&nbsp;&nbsp; Carta B</p><p>·&nbsp;&nbsp; Inglês</p>',
  },
  'Word, a table': {
    pasted: `<table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0 style='border-collapse:collapse;mso-border-alt:solid windowtext .5pt'><tr style='mso-yfti-irow:0'><td width=200 valign=top style='width:150pt'><p class=MsoNormal>Horário<o:p></o:p></p></td><td><p class=MsoNormal>9h–18h<o:p></o:p></p></td></tr></table>`,
    stored: '<table><tbody><tr><td><p>Horário</p></td><td><p>9h–18h</p></td></tr></tbody></table>',
  },
  'Google Docs': {
    pasted: `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-7c1f2a3e-7fff-0a1b-9c8d-5e6f7a8b9c0d"><h1 dir="ltr" style="line-height:1.38;margin-top:20pt"><span style="font-size:20pt;font-weight:400">Perfil</span></h1><p dir="ltr" style="line-height:1.38"><span style="font-weight:700">Procuramos</span><span style="font-weight:400"> vendedor.</span></p><br /><ul style="margin-top:0"><li dir="ltr" style="list-style-type:disc" aria-level="1"><p dir="ltr" role="presentation"><span>Turno da noite</span></p></li><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>Carta de condução</span></p></li></ul><p dir="ltr"><a href="https://x.pt/vaga" style="text-decoration:none"><span style="color:#1155cc">Candidatura</span></a></p></b><br class="Apple-interchange-newline">`,
    stored:
      '<h2>Perfil</h2><p>Procuramos vendedor.</p><br><ul><li><p>Turno da noite</p></li><li><p>Carta de condução</p></li></ul>' +
      '<p><a href="https://x.pt/vaga">Candidatura</a></p><br>',
  },
  'Google Docs, a table': {
    pasted: `<b style="font-weight:normal;" id="docs-internal-guid-1"><div dir="ltr" style="margin-left:0pt;" align="left"><table style="border:none;border-collapse:collapse;"><colgroup><col width="301" /><col width="301" /></colgroup><tbody><tr style="height:0pt"><td style="border-left:solid #000 1pt"><p dir="ltr"><span>Salário</span></p></td><td><p dir="ltr"><span>1200 €</span></p></td></tr></tbody></table></div></b>`,
    stored: '<table><tbody><tr><td><p>Salário</p></td><td><p>1200 €</p></td></tr></tbody></table>',
  },
  'Outlook for the desktop': {
    pasted: `<div class="WordSection1"><p class="MsoNormal"><span style="font-size:11.0pt;font-family:&quot;Calibri&quot;,sans-serif">Boa tarde,<o:p></o:p></span></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b>From:</b> RH &lt;rh@x.pt&gt;<br><b>Subject:</b> Vaga<o:p></o:p></p></div></div><p class="MsoNormal"><a href="mailto:rh@x.pt"><span style="color:#0563C1">rh@x.pt</span></a><o:p></o:p></p></div>`,
    stored:
      '<p>Boa tarde,</p><p>&nbsp;</p><p><b>From:</b> RH &lt;rh@x.pt&gt;<br><b>Subject:</b> Vaga</p><p><a href="mailto:rh@x.pt">rh@x.pt</a></p>',
  },
  'Outlook on the web': {
    pasted: `<div class="elementToProof" style="font-family: Aptos, sans-serif; font-size: 12pt;">Procuramos <b>cozinheiro</b>.</div><div class="elementToProof"><br></div><div class="elementToProof"><font size="2"><u>Requisitos</u></font></div><ol data-editing-info="{}"><li><div role="presentation" class="elementToProof">Experiência</div></li><li><div role="presentation">Disponibilidade</div></li></ol><div id="Signature"><div>RH</div><div><a href="http://x.pt">x.pt</a></div></div>`,
    stored:
      '<p>Procuramos <b>cozinheiro</b>.</p><p><br></p><p><u>Requisitos</u></p><ol><li><p>Experiência</p></li><li><p>Disponibilidade</p></li></ol>' +
      '<p>RH</p><p><a href="http://x.pt">x.pt</a></p>',
  },
  'Outlook, a layout of nested tables': {
    pasted: `<div><center><table width="100%" role="presentation"><tbody><tr><td align="center"><!--[if mso]><table width="600"><tr><td><![endif]--><table width="600"><tbody><tr><td style="padding:0"><font face="Arial"><div><h1 style="margin:0">Estamos a contratar</h1></div><div>Loja do Porto</div></font></td></tr><tr><td><a href="https://x.pt/c" target="_blank"><div style="background:#06c">Candidatar</div></a></td></tr></tbody></table><!--[if mso]></td></tr></table><![endif]--></td></tr></tbody></table></center></div>`,
    stored:
      '<table><tbody><tr><td><table><tbody><tr><td><h2>Estamos a contratar</h2><p>Loja do Porto</p></td></tr>' +
      '<tr><td><a href="https://x.pt/c"><p>Candidatar</p></a></td></tr></tbody></table></td></tr></tbody></table>',
  },
  Gmail: {
    pasted: `<div dir="ltr"><div class="gmail_default" style="font-family:verdana,sans-serif">Olá,</div><div class="gmail_default"><br></div><div class="gmail_default">Temos <b>duas</b> vagas:<br>Porto e Braga</div><div><br clear="all"></div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature"><div dir="ltr">Rita<div><font color="#888888">RH</font></div></div></div></div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">Rui escreveu:<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex"><div>Há vagas?</div></blockquote></div>`,
    stored:
      '<p>Olá,</p><p><br></p><p>Temos <b>duas</b> vagas:<br>Porto e Braga</p><p><br></p><p>-- <br></p><p>Rita</p><p>RH</p><br>' +
      '<p>Rui escreveu:<br></p><blockquote><p>Há vagas?</p></blockquote>',
  },
  'Apple Mail': {
    pasted: `<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;"><div><blockquote type="cite"><div>Precisa-se</div></blockquote></div>Motorista<div class="">Turno A<span class="Apple-converted-space">&nbsp;</span></div><div class=""><br class=""></div><div class=""><div class=""><ul class="MailOutline"><li class="">Carta C</li><li class="">CAM</li></ul><div class="">Ligue <a href="tel:+351210000000" class="">210 000 000</a></div></div></div><br class="Apple-interchange-newline"></body></html>`,
    stored:
      '<blockquote><p>Precisa-se</p></blockquote>Motorista<p>Turno A&nbsp;</p><p><br></p><ul><li>Carta C</li><li>CAM</li></ul>' +
      '<p>Ligue <a href="tel:+351210000000">210 000 000</a></p><br>',
  },
};
